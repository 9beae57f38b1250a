package rehearsed

import (
	"net/netip"
	"time"
)

// Interval is the time between two packets of one direction of a pair.
const Interval = 5 * time.Millisecond

// Place is an address of a node.
type Place struct {
	Node    string     `json:"node"` // namespace
	Address netip.Addr `json:"address"`
}

// Pair is two addresses that are to reach each other.
type Pair struct {
	A Place `json:"a"`
	B Place `json:"b"`
}

// Gap is a time in which datagrams of one direction were lost.
type Gap struct {
	Start time.Time     `json:"start"`
	Long  time.Duration `json:"ns"` // from the first that was lost to the next that arrived
	Lost  int           `json:"lost"`
	BToA  bool          `json:"b_to_a,omitempty"`
}

// End is when the next datagram arrived.
func (g Gap) End() time.Time { return g.Start.Add(g.Long) }

// Stream is what became of a pair's TCP connection.
type Stream struct {
	// Error is why it could not be made, or broke; empty: it lived to the end.
	Error  string        `json:"error,omitempty"`
	Broke  time.Time     `json:"broke,omitzero"`
	Pause  time.Duration `json:"longest_pause_ns"` // longest time in which nothing came back
	Paused time.Time     `json:"paused,omitzero"`  // when that began
}

// Seen is what a pair felt.
type Seen struct {
	Pair
	Sent   int    `json:"sent"` // both directions together
	Lost   int    `json:"lost"`
	Gaps   []Gap  `json:"gaps,omitempty"` // in the order they began
	Stream Stream `json:"stream"`
}

// Watched is what a watch of pairs saw.
type Watched struct {
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
	Pairs   []Seen    `json:"pairs"` // in the order they were asked for
}
