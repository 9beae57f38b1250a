// Package largesend counts the frames that leave a node larger than its MTU:
// what AIX's netstat -p tcp calls large sends.
//
// The kernel's own counters do not show it: TCP counts segments, the device
// counts frames, and neither says how many segments a frame held. So a packet
// filter (nf_tables, netdev ingress) counts at the far end of the node's
// cable, where a frame arrives whole only if nobody cut it, and keeps one
// counter per frame size above 1500 bytes. It drops nothing and delays a frame
// by a comparison. An SEA's own interface has no cable: there the bridge's chain
// for what it sends itself counts. A user namespace may install both; a kernel
// without nf_tables may not, and then nothing is counted and nothing printed.
package largesend
