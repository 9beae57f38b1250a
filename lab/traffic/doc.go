// Package traffic holds the node commands that send traffic where the machine
// has none of its own that fits: netperf with netserver, ftp with ftpd, and
// ping; and tcpdump, the machine's, which watches it. iperf is the machine's. They
// run in the calling process, in the node's own network namespace, so that what
// they measure is the lab's path and nothing else. Every figure they print is
// measured.
//
// Netperf and netserver have a control connection of their own and work with
// each other only.
package traffic
