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
// As root a Sampler asks the kernel instead. Two tracepoints of the network
// stack, where a device receives a frame and where one starts to send it,
// note for each processor in which network namespace the softirq is at work.
// A timer on each processor looks a thousand times a second who is running: in
// a softirq that is the namespace noted last, else the one of the current
// task. A look is worth the time since the look before it.
//
// What runs in a softirq before any device is named (timers, read-copy-update,
// the stack's own scheduling) belongs to nobody and is shown as such.
//
// Nothing of it outlives the process: programs, maps and events are held by
// descriptors, none is pinned.
package cputime
