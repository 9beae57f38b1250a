// Package sock is TCP by system call, for load loops: blocking sockets without
// Go's poller in between, buffer sizes before connect and listen as AIX and
// Linux want them, and what the kernel says about a connection.
//
// Reads and writes block for at most Tick, so that a loop can look at its stop
// flag and the runtime can stop the world.
package sock
