package protocols

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Statistics is the output of netstat -s.
type Statistics struct {
	dialect.Report
	Protocols []*Protocol  `json:"protocols"`
	Layout    layout.Sheet `json:"-"`
}

// Protocol is one protocol's counters.
type Protocol struct {
	// Name is tcp, udp, ip, ipv6, icmp, ...; "" for lines cut out with grep.
	Name    string   `json:"name"`
	Entries []*Entry `json:"entries"`
	Layout  Layout   `json:"-"`
}

// Entry is a counter line or, without values, the heading of those below it.
type Entry struct {
	// Text is the line with # for every number: "# data packets (# bytes)".
	Text     string   `json:"text"`
	Values   []Number `json:"values,omitempty"`
	Children []*Entry `json:"children,omitempty"`
	Layout   Layout   `json:"-"`
}

// Number is one printed number.
type Number struct {
	N uint64 `json:"n"`
	// Minus was printed before it: the counter passed its width, and how far
	// it really got is not known.
	Minus bool `json:"minus,omitempty"`
}

// Count is the number, unless it wrapped visibly.
func (n Number) Count() (count uint64, ok bool) { return n.N, !n.Minus }

// Layout is where a line stood. Old is false for a line that is new.
type Layout struct {
	Old        bool
	Before     []string
	Lead, Tail string
	colon      string
}

// Find is the protocol of that name, or nil.
func (s *Statistics) Find(name string) *Protocol {
	for _, p := range s.Protocols {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Get is one counter by protocol and key, see Protocol.Get. Lines without
// a protocol's name above them are looked through too.
func (s *Statistics) Get(protocol, key string) (count uint64, ok bool) {
	for _, name := range []string{protocol, ""} {
		if p := s.Find(name); p != nil {
			if n, ok := p.Get(key); ok {
				return n, true
			}
		}
	}
	return 0, false
}

// Counters are all counters that a key names without doubt, as
// "tcp.bytes_sent_using_largesend". A counter that AIX 7.2 has too goes by
// 7.2's wording for many.
func (s *Statistics) Counters() map[string]uint64 {
	out := map[string]uint64{}
	for _, p := range s.Protocols {
		for st, c := range p.index() {
			if c.number == nil || c.number.Minus {
				continue
			}
			key := c.key
			if k, ok := canonical()[st]; ok {
				key = k
			}
			out[strings.TrimPrefix(p.Name+"."+key, ".")] = c.number.N
		}
	}
	return out
}

// Get is one counter by its key: its words joined with _, such as
// "large_sends"; "packets_sent.window_update_packets" where the parent is
// needed; "data_packets.bytes" for a number in brackets. ok is false if the
// counter is not there, is named more than once, or wrapped visibly.
func (p *Protocol) Get(key string) (count uint64, ok bool) {
	c := p.index()[stem(key)]
	if c.number == nil {
		return 0, false
	}
	return c.number.Count()
}

// Set changes the counter with that key. It fails if there is no such counter.
func (p *Protocol) Set(key string, count uint64) error {
	c := p.index()[stem(key)]
	if c.number == nil {
		return fmt.Errorf("netstat %s: no counter %q, or more than one", p.Name, key)
	}
	*c.number = Number{N: count}
	return nil
}

// counter is what a stem stands for; a nil number marks a stem that stands for
// more than one.
type counter struct {
	key    string
	number *Number
}

// Each calls fn for every counter that Get would give under the entry's own
// key, below those of the entries it stands under, in printed order.
func (p *Protocol) Each(fn func(key string, count uint64)) {
	index := p.index()
	var walk func(parent string, entries []*Entry)
	walk = func(parent string, entries []*Entry) {
		for _, e := range entries {
			key := parent + e.Key()
			if c := index[stem(key)]; c.number != nil {
				if n, ok := c.number.Count(); ok {
					fn(key, n)
				}
			}
			walk(key+".", e.Children)
		}
	}
	walk("", p.Entries)
}

func (p *Protocol) index() map[string]counter {
	out := map[string]counter{}
	add := func(key string, n *Number) {
		st := stem(key)
		if _, twice := out[st]; twice {
			n = nil
		}
		out[st] = counter{key, n}
	}
	var walk func(parent string, entries []*Entry)
	walk = func(parent string, entries []*Entry) {
		for _, e := range entries {
			keys := e.keys()
			for i := range min(len(keys), len(e.Values)) {
				add(keys[i], &e.Values[i])
				if parent != "" {
					add(parent+"."+keys[i], &e.Values[i])
				}
			}
			walk(e.Key(), e.Children)
		}
	}
	walk("", p.Entries)
	return out
}
