package diff

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/inventory/model"
)

// Counter is an error counter that grew between the two readings.
type Counter struct {
	model.Ref
	Name   string `json:"name"`   // as printed, "receive " or "transmit " before it where both have it
	Growth uint64 `json:"growth"` // 0 with a gap
	Text   string `json:"text"`   // "+60 in 1 d (2.5/h)"
	Gap    string `json:"gap,omitempty"`
	// Packets that the element, or TCP of the host, counted in the same time; 0: not known.
	Packets uint64 `json:"packets,omitempty"`
}

// Rare says that fewer than one in a million packets were counted.
func (c Counter) Rare() bool { return c.Packets > 0 && c.Growth < c.Packets/1e6 }

// troubles are counters of what goes wrong, by words of their names.
var troubles = regexp.MustCompile(`(?i)err|drop|fail|no.?(resource|mbuf|buffer)|retrans|time.?out|timed.?out|overrun|underrun|` +
	`collision|crc|discard|\bbad\b|lost|miss|overflow|out.of.order|duplicate|\bresets?\b|xoff|pause`)

// packets are counters of what passed, of adapters, SEAs and TCP.
var packets = regexp.MustCompile(`^(rx\.Packets|tx\.Packets|rx_packets|tx_packets|(Real|Virtual) Side Statistics\.Packets received)$`)

// tcp are the names of the protocol's counters, and of its packets'.
var tcp = map[string][]string{
	"tcp": {"tcp.packets_sent", "tcp.packets_received"},
	"Tcp": {"Tcp.OutSegs", "Tcp.InSegs"}, "TcpExt": {"Tcp.OutSegs", "Tcp.InSegs"},
}

// passed are the packets that a span counts.
func passed(span growth.Span, counters model.Counters) (sum uint64) {
	for key, value := range counters.All() {
		if !packets.MatchString(key) {
			continue
		}
		if n, _, gap := span.Gained(key, value); gap == "" {
			sum += n
		}
	}
	return sum
}

// segments are those of TCP, if a counter is of it.
func (c *comparison) segments(key string) (sum uint64) {
	head, _, _ := strings.Cut(key, ".")
	for _, name := range tcp[head] {
		if n, _, gap, ok := growth.Protocol(c.now, c.before, name); ok && gap == "" {
			sum += n
		}
	}
	return sum
}

// counters takes those that grew, most first.
func (c *comparison) counters(ctx context.Context) {
	var grown []Counter
	known := map[string]bool{} // a host has few names, and many elements with each
	trouble := func(name string) bool {
		is, asked := known[name]
		if !asked {
			is = troubles.MatchString(name)
			known[name] = is
		}
		return is
	}
	for name, e := range c.now.Elements {
		if ctx.Err() != nil {
			return
		}
		if c.before.Elements[name] == nil {
			continue
		}
		span := growth.OfElement(e, c.now, c.before)
		all := sync.OnceValue(func() uint64 { return passed(span, e.Counters) })
		for key, value := range e.Counters.All() {
			if !trouble(key) {
				continue
			}
			n, wrapped, gap := span.Gained(key, value)
			if gap == "" && n > 0 {
				grown = append(grown, Counter{Ref: c.at(name), Name: growth.Label(key), Growth: n, Text: span.Text(n, wrapped), Packets: all()})
			}
		}
	}
	for key := range c.now.Protocols.All() {
		if !trouble(key) {
			continue
		}
		n, text, gap, ok := growth.Protocol(c.now, c.before, key)
		if ok && gap == "" && n > 0 && (key != noSocket || n > c.probes()) {
			grown = append(grown, Counter{Ref: c.at("host"), Name: key, Growth: n, Text: text, Packets: c.segments(key)})
		}
	}
	slices.SortFunc(grown, func(a, b Counter) int {
		return cmp.Or(cmp.Compare(b.Growth, a.Growth), a.Ref.Compare(b.Ref), cmp.Compare(a.Name, b.Name))
	})
	c.Counters = append(c.Counters, grown...)
}
