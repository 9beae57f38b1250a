package model

import "net/netip"

// Ping is what echo requests from a host showed: an output of ping that somebody saved. Without packets, it is the round trip
// that TCP measured of a connection.
type Ping struct {
	To       netip.Addr `json:"to"`
	Size     int        `json:"size"`               // bytes of each packet, with the headers of IP and ICMP
	Whole    bool       `json:"whole,omitempty"`    // nobody on the way could cut them
	Sent     int        `json:"sent"`               // packets; 0: none, but a connection
	Received int        `json:"received"`           // packets
	LeastMS  *float64   `json:"least_ms,omitempty"` // the shortest round trip
	Refused  int        `json:"refused,omitempty"`  // the MTU with which the sender or a router refused them; 0: none did
	From     Origin     `json:"from"`
}
