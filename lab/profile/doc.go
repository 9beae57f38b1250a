// Package profile holds the node commands that say where processor time goes:
// tprof, and trace with trcon, trcoff, trcstop and trcrpt. They run in the
// calling process, on the node.
//
// Ticks are the kernel's own accounting of a process in user and in kernel
// mode, in the 10 ms that AIX's ticks have, read while the program runs. What
// the kernel does for packets outside of any process belongs to none, and is
// in no row. The ticks of "wait" are the idle time of the whole machine: a
// lab's nodes share its processors.
package profile
