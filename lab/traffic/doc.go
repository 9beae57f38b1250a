// Package traffic holds the node commands that send traffic: iperf, netperf
// with netserver, ftp with ftpd, and ping; and tcpdump, which watches it. They
// run in the calling process, in the node's own network namespace, so that what
// they measure is the lab's path and nothing else. Every figure they print is
// measured.
//
// iperf speaks plain TCP as iperf 2 does and works against a real one. netperf
// and netserver have a control connection of their own and work with each
// other only.
package traffic
