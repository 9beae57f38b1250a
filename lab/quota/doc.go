// Package quota holds capped partitions to their entitlement: a control group
// of the machine's for each, with a share of CPU time that the kernel does not
// let it exceed (cpu.max of cgroup v2, cpu.cfs_quota_us of v1).
//
// Of cgroup v2 the tests know how it is found, not that the kernel keeps the
// share: they ran where v1 has the cpu controller, which then no mount of v2 can
// offer. On v2 the groups need it enabled in the root group's
// cgroup.subtree_control, as systemd does; else the lab says that it caps nobody.
//
// Control groups stay until somebody removes them, and a killed lab removes
// nothing. So a guard waits outside of the lab, on a pipe that the lab holds
// open and the kernel closes, and removes them then.
package quota
