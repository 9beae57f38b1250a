// Package fault breaks things in a running lab, and mends them: a partition
// crashes, a port goes down or flaps, a cable loses frames, a port of the
// Ethernet switch passes no jumbo frames, the SEAs of a system do not hear
// each other. Every fault is one of the kernel's network path, so that the
// nodes' own counters and states show it; nothing is only pretended.
package fault
