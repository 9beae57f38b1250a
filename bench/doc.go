// Package bench measures a path between two hosts: throughput or
// transactions, and the CPU that every host on the path spent on them.
//
// Run measures the path as it is. Compare measures it under two
// variants, A and B, in randomised interleaved blocks: what drifts with time
// (other load, temperature) falls on both and cancels in the ratio of a block.
// Blocks may hold a second trial of A: the ratio of A to A is the control that
// shows how far apart two equal variants come out on this path.
//
// How many blocks are enough may be left open: until each workload is decided
// (Experiment.UntilDecided), by intervals that allow for the looks in between.
//
// Mesh measures several pairs of hosts at once.
//
// The load comes from a Driver: the project's own helper, or iperf3, iperf 2,
// netperf, qperf or sockperf where a host has them. Whatever the driver, CPU is read from the
// kernel's or hypervisor's own accounting on every host of the path, over an
// interval within which the load runs steadily, and a kernel that several
// hosts share is counted once.
//
// Units: bit/s, transactions/s, cores (CPU-seconds per second), seconds,
// bytes, microseconds. A figure that could not be measured is absent.
package bench
