// Package cputime says whose CPU time it is: of which node of a lab, of its
// hypervisor switches, of its Ethernet switch, of the lab itself, or of the
// rest of the machine.
//
// All of a lab's nodes share one kernel, and most of what a network costs is
// done by nobody's process: the softirq that takes a frame off one adapter
// carries it through bridges and over the next cables, on the back of whatever
// process was interrupted. So a process's own account (getrusage, cgroups) is
// wrong twice: a sender is charged for its VIOS, and the VIOS for nothing.
//
// As root a Sampler asks the kernel instead. A timer on each processor looks
// some 270 times a second who is running: in a softirq that is who owns the
// device whose frames it is at work with, else the namespace of the current
// task. A look is worth the time since the look before it.
//
// Whether a softirq runs, the look reads where the kernel itself keeps it, the
// processor's preempt count. Where that is out of reach, two tracepoints tell,
// which then run for every softirq.
//
// Which device it is at work for, two tracepoints of the network stack note:
// where a frame is received, and where one leaves a queue. They would run for
// every frame on every hop, and on a path of small frames cost more than all
// else here. So they run in windows, a twenty-fifth of the time if there is much
// to do, in which looks are closer together; and what softirqs did unseen is
// shared out like what they were seen to do. All of it then costs about one per
// cent of a processor, the most of it the timer's interrupts.
//
// What runs in a softirq before any device is named, and what is neither
// receiving nor a queue (timers, read-copy-update, acknowledgements that were
// held back), belongs to nobody and is shown as such.
//
// Nothing of it outlives the process: programs, maps and events are held by
// descriptors, none is pinned.
package cputime
