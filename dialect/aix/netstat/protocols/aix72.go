package protocols

import "strings"

// TCP is netstat -p tcp of AIX 7.2 with every counter at zero.
func TCP() *Protocol { return blank("tcp", tcp) }

// UDP is netstat -p udp of AIX 7.2 with every counter at zero.
func UDP() *Protocol { return blank("udp", udp) }

// IP is netstat -p ip of AIX 7.2 with every counter at zero.
func IP() *Protocol { return blank("ip", ip) }

// ICMP is netstat -p icmp of AIX 7.2 with every counter at zero.
func ICMP() *Protocol { return blank("icmp", icmp) }

// blank builds a protocol from its counters' wording, one a line, a TAB for
// each level below the first.
func blank(name, wording string) *Protocol {
	p := &Protocol{Name: name}
	var above *Entry
	for _, line := range strings.Split(strings.TrimSpace(wording), "\n") {
		text, below := strings.CutPrefix(line, "\t")
		e := &Entry{Text: text, Values: make([]Number, strings.Count(text, "#"))}
		if below && above != nil {
			above.Children = append(above.Children, e)
			continue
		}
		p.Entries = append(p.Entries, e)
		above = e
	}
	return p
}

const (
	tcp = `
# packets sent
	# data packets (# bytes)
	# data packets (# bytes) retransmitted
	# ack-only packets (# delayed)
	# URG only packets
	# window probe packets
	# window update packets
	# control packets
	# large sends
	# bytes sent using largesend
	# bytes is the biggest largesend
# packets received
	# acks (for # bytes)
	# duplicate acks
	# acks for unsent data
	# packets (# bytes) received in-sequence
	# completely duplicate packets (# bytes)
	# old duplicate packets
	# packets with some dup. data (# bytes duped)
	# out-of-order packets (# bytes)
	# packets (# bytes) of data after window
	# window probes
	# window update packets
	# packets received after close
	# packets with bad hardware assisted checksum
	# discarded for bad checksums
	# discarded for bad header offset fields
	# discarded because packet too short
	# discarded by listeners
	# discarded due to listener's queue full
	# ack packet headers correctly predicted
	# data packet headers correctly predicted
# connection requests
# connection accepts
# connections established (including accepts)
# connections closed (including # drops)
# connections with ECN capability
# times responded to ECN
# embryonic connections dropped
# segments updated rtt (of # attempts)
# segments with congestion window reduced bit set
# segments with congestion experienced bit set
# resends due to path MTU discovery
# path MTU discovery terminations due to retransmits
# retransmit timeouts
	# connections dropped by rexmit timeout
# fast retransmits
	# when congestion window less than 4 segments
# newreno retransmits
# times avoided false fast retransmits
# persist timeouts
	# connections dropped due to persist timeout
# keepalive timeouts
	# keepalive probes sent
	# connections dropped by keepalive
# times SACK blocks array is extended
# times SACK holes array is extended
# packets dropped due to memory allocation failure
# connections in timewait reused
# delayed ACKs for SYN
# delayed ACKs for FIN
# send_and_disconnects
# spliced connections
# spliced connections closed
# spliced connections reset
# spliced connections timeout
# spliced connections persist timeout
# spliced connections keepalive timeout
# TCP checksum offload disabled during retransmit
# Connections dropped due to bad ACKs
# Connections dropped due to duplicate SYN packets
# fastpath loopback connections
# fastpath loopback sent packets (# bytes)
# fastpath loopback received packets (# bytes)
# fake SYN segments dropped
# fake RST segments dropped
# data injection segments dropped
# TCPTR max connections dropped
# TCPTR connections dropped for no memory
# TCPTR maximum per host connections dropped
# connections dropped due to max assembly queue depth
# exhausted ephemeral ports errors
`
	udp = `
# datagrams received
# incomplete headers
# bad data length fields
# bad checksums
# dropped due to no socket
# broadcast/multicast datagrams dropped due to no socket
# socket buffer overflows
# delivered
# datagrams output
# exhausted ephemeral ports errors
`
	ip = `
# total packets received
# bad header checksums
# with size smaller than minimum
# with data size < data length
# with header length < data size
# with data length < header length
# with bad options
# with incorrect version number
# fragments received
# fragments dropped (dup or out of space)
# fragments dropped after timeout
# packets reassembled ok
# packets for this host
# packets for unknown/unsupported protocol
# packets forwarded
# packets not forwardable
# redirects sent
# packets sent from this host
# packets sent with fabricated ip header
# output packets dropped due to no bufs, etc.
# output packets discarded due to no route
# output datagrams fragmented
# fragments created
# datagrams that can't be fragmented
# IP Multicast packets dropped due to no receiver
# ipintrq overflows
# with illegal source
# packets processed by threads
# packets dropped by threads
# packets dropped due to the full socket receive buffer
# incoming packets dropped due to MLS filters
# packets not sent due to MLS filters
`
	icmp = `
# calls to icmp_error
# errors not generated because old message was icmp
Output histogram:
	destination unreachable: #
# messages with bad code fields
# messages < minimum length
# bad checksums
# messages with bad length
Input histogram:
	destination unreachable: #
# message responses generated
`
)
