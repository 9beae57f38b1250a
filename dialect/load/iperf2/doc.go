// Package iperf2 reads and prints the text reports of iperf 2, client and
// server, of the 2.0 and 2.1 lines: the settings, the connections, and one
// line per interval and connection with its [SUM] lines.
//
// iperf counts transfers in units of 1024 and bandwidth in bits in units of
// 1000; bandwidth in Bytes is in units of 1024 again.
package iperf2
