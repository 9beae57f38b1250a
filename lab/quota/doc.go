// Package quota holds capped partitions to their entitlement: a control group
// of the machine's for each, with a share of CPU time that the kernel does not
// let it exceed (cpu.max of cgroup v2, cpu.cfs_quota_us of v1).
//
// Control groups stay until somebody removes them, and a killed lab removes
// nothing. So a guard waits outside of the lab, on a pipe that the lab holds
// open and the kernel closes, and removes them then.
package quota
