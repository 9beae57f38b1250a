// Package watch sees what traffic feels while a lab's hosts are changed. Between the two addresses
// of each Pair it sends a small datagram each way every Interval, and holds a TCP connection on
// which a few bytes pass each way all the time. What was lost is measured by the far end, from the
// numbers that the datagrams carry; nothing is derived from settings.
//
// Both ends of a pair are sockets of one process in the network namespaces of two nodes: a reboot
// of a node does not end them, as it would end those of a real host.
package watch
