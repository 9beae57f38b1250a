package live

import (
	"maps"
	"slices"

	"seaworthy/internal/inventory/model"
)

// Metric is a rate of an element, by its name in JSON.
type Metric string

// The rates of an element, seen from it: in is what it received. Misses are
// packets lost because no receive buffer was free.
const (
	InBytes    Metric = "in_bytes"
	OutBytes   Metric = "out_bytes"
	InPackets  Metric = "in_packets"
	OutPackets Metric = "out_packets"
	Drops      Metric = "drops"
	Misses     Metric = "buffer_misses"
)

// Rates are numbers per second by metric; one that is not there is not known.
type Rates map[Metric]float64

// counted are the counters of a metric: entstat's, then netstat's, then
// Linux's. A group's counters add up; of the groups the first that the element
// has counts, of same all are views of the same packets and the highest counts.
var counted = []struct {
	metric Metric
	groups [][]string
	same   []string
}{
	{metric: InBytes, groups: [][]string{{"rx.Bytes"}, {"rx_bytes"}}},
	{metric: OutBytes, groups: [][]string{{"tx.Bytes"}, {"tx_bytes"}}},
	{metric: InPackets, groups: [][]string{{"rx.Packets"}, {"Ipkts"}, {"rx_packets"}}},
	{metric: OutPackets, groups: [][]string{{"tx.Packets"}, {"Opkts"}, {"tx_packets"}}},
	{metric: Drops, groups: [][]string{{"rx.Packets Dropped", "tx.Packets Dropped"}, {"Ierrs", "Oerrs"}, {"rx_dropped+missed", "tx_dropped"}}},
	{metric: Misses, same: []string{"rx.No Resource Errors", "Hypervisor Receive Failures", "rx_no_buffer", "rx_missed_errors",
		"rx_out_of_buffer", "rx_no_buffer_count"}},
}

// retransmitted are the counters of segments that a host's TCP sent again.
var retransmitted = []string{"tcp.packets_sent.data_packets_retransmitted", "Tcp.RetransSegs"}

// rates are those between two readings of an element's counters. A counter that
// went back leaves out its metric and is reset.
func rates(before, after model.Counters, seconds float64) (r Rates, reset bool) {
	r = Rates{}
	for _, m := range counted {
		for _, g := range m.groups {
			sum, known, back := grown(before, after, g)
			reset = reset || back
			if known && !back {
				r[m.metric] = float64(sum) / seconds
			}
			if known {
				break
			}
		}
		for _, name := range m.same {
			n, known, back := grown(before, after, []string{name})
			reset = reset || back
			if known && !back {
				r[m.metric] = max(r[m.metric], float64(n)/seconds)
			}
		}
	}
	return r, reset
}

// grown is by how much counters grew together. It is known if both readings
// have all of them.
func grown(before, after model.Counters, names []string) (sum uint64, known, back bool) {
	for _, name := range names {
		x, ok1 := before.Get(name)
		y, ok2 := after.Get(name)
		if !ok1 || !ok2 {
			return 0, false, false
		}
		if y < x {
			back = true
			continue
		}
		sum += y - x
	}
	return sum, true, back
}

// raise keeps the highest of each rate.
func (r Rates) raise(by Rates) {
	for m, v := range by {
		if old, ok := r[m]; !ok || v > old {
			r[m] = v
		}
	}
}

func (r Rates) clone() Rates { return maps.Clone(r) }

// Metrics are all of them, in the order of a line.
func Metrics() []Metric {
	return slices.Clone([]Metric{InBytes, OutBytes, InPackets, OutPackets, Drops, Misses})
}

// Totals are the counters of an element by the metric whose rate is made of them; one that the
// element does not count is not there.
func Totals(c model.Counters) map[Metric]uint64 {
	out := map[Metric]uint64{}
	for _, m := range counted {
		for _, g := range m.groups {
			sum, known, _ := grown(zeros(c, g), c, g)
			if known {
				out[m.metric] = sum
				break
			}
		}
		for _, name := range m.same {
			n, known := c.Get(name)
			if known {
				out[m.metric] = max(out[m.metric], n)
			}
		}
	}
	return out
}

// zeros are counters that begin at zero: those of the names that c has.
func zeros(c model.Counters, names []string) model.Counters {
	out := map[string]uint64{}
	for _, name := range names {
		_, known := c.Get(name)
		if known {
			out[name] = 0
		}
	}
	return model.CountersOf(out)
}

// Retransmitted is how many segments a host's TCP sent again.
func Retransmitted(protocols model.Counters) (n uint64, known bool) {
	for _, name := range retransmitted {
		n, known = protocols.Get(name)
		if known {
			return n, true
		}
	}
	return 0, false
}
