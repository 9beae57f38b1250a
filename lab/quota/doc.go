// Package quota holds partitions to their part of the machine's processors: a
// control group of the machine's for each. A capped partition's has a share of
// CPU time that the kernel does not let it exceed (cpu.max of cgroup v2,
// cpu.cfs_quota_us of v1). Uncapped ones have a weight, by which the kernel
// divides what several want (cpu.weight, cpu.shares).
//
// A POWER hypervisor gives every partition its entitlement first, and divides by
// weight what is left. A machine that a lab runs on rarely has the processors
// for all entitlements; so here weights divide all that capped partitions leave,
// and those compete with the weight that a partition has if nobody sets one.
//
// Of cgroup v2 the tests know how it is found, what is written there and that
// a process is born in its group, not that the kernel keeps the share: they ran
// where v1 has the cpu controller, which then no mount of v2 can offer. On v2
// the groups need it enabled in the root group's cgroup.subtree_control, as
// systemd does; else the lab says that it holds nobody.
//
// Control groups stay until somebody removes them, and a killed lab removes
// nothing. So a guard waits outside of the lab, on a pipe that the lab holds
// open and the kernel closes, and removes them then. What a guard leaves that was
// ended itself the next lab removes: see Sweep.
package quota
