// Package nfnl speaks to the kernel's packet filter (nf_tables) over netlink,
// as far as a lab needs it: tables of the netdev family, whose chains see
// every frame that arrives at a device, sets that count frames by what a rule
// took from them, and rules that drop; chains of bridges that mark frames, and
// queues that hold marked packets until a program lets them go. A user namespace
// may do all of this.
//
// A Batch is made or refused as a whole. It acts in the network namespace of
// the calling thread.
package nfnl
