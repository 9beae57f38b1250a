// Package fault breaks things in a running lab, and mends them: a partition
// crashes, a port goes down or flaps, a cable loses frames or is long, a port
// of the Ethernet switch passes no jumbo frames, the SEAs of a system do not
// hear each other, a driver empties its queue late. Every fault is one of the
// kernel's network path, so that the nodes' own counters and states show it.
// Only a clock that jumps is the lab's own: its commands show that time.
package fault
