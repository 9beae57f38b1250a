// Package netperf reads and prints the text reports of netperf 2: TCP_STREAM
// and TCP_RR, as they come without -P 0.
package netperf
