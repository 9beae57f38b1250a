// Package cputime says whose CPU time it is: a node's, a hypervisor switch's,
// the Ethernet switch's, the lab's own, or the rest of the machine's.
//
// All of a lab's nodes share one kernel, and most of what a network costs is
// done by no process: the softirq that takes a frame off one adapter carries it
// through bridges and over the next cables, on the back of whatever process was
// interrupted. So a process's own account (getrusage, cgroups) is wrong twice: a
// sender is charged for its VIOS, and the VIOS for nothing.
//
// As root a Sampler asks the kernel instead (cputime.bpf.c). A timer on each CPU
// takes about a thousand samples a second of who is running: in a softirq that is
// the namespace of the device whose frames it is at work with, else the namespace
// of the current task. A sample is worth the time since the one before it. Which
// device a softirq works for is noted by tracepoints of the network stack: where a
// frame is received, and where one leaves a queue.
//
// What runs in a softirq before any device is named, and what is neither
// receiving nor a queue (timers, read-copy-update, delayed acknowledgements),
// belongs to nobody and is shown as such.
//
// # Error
//
// The sum of all owners is the machine's. A share of p cores over t seconds has a
// standard error of sqrt(p / (1000 t)) cores: 0.01 cores for 0.1 cores in a second,
// 0.003 in ten. Sampling costs about 1 % of each CPU, most of it the interrupt; the
// tracepoints cost a frame about 50 ns a hop (docs/measurements/meters.md).
//
// Nothing of it outlives the process: programs, maps and events are held by
// descriptors, none is pinned.
package cputime

//go:generate go run github.com/cilium/ebpf/cmd/bpf2go -target bpfel -output-stem cputime -no-global-types bpf cputime.bpf.c
