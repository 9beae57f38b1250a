// Package protocols reads AIX protocol statistics: netstat -s and
// netstat -p PROTOCOL.
//
// The text is a tree: a protocol, its counters, and below some of them counters
// that split them up, by indentation. A counter is keyed by its wording, which
// turns singular when the number is one; Key makes both the same. The same
// wording occurs below different parents ("window update packets" sent and
// received), so a key that is not unique must name its parent.
//
// Older counters are 32 bits wide: they wrap, and some are printed with a
// minus. Such a number is kept and marked, and never given out as a count.
package protocols

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Statistics is the output of netstat -s.
type Statistics struct {
	parse.Report
	Protocols []*Protocol `json:"protocols"`
}

// Protocol is one protocol's counters.
type Protocol struct {
	// Name is tcp, udp, ip, ipv6, icmp, ...; "" for lines cut out with grep.
	Name    string   `json:"name"`
	Entries []*Entry `json:"entries"`
}

// Entry is a counter line or, without values, the heading of those below it.
type Entry struct {
	// Text is the line with # for every number: "# data packets (# bytes)".
	Text     string   `json:"text"`
	Values   []Number `json:"values,omitempty"`
	Children []*Entry `json:"children,omitempty"`
}

// Number is one printed number.
type Number struct {
	N uint64 `json:"n"`
	// Minus was printed before it: the counter passed its width, and how far
	// it really got is not known.
	Minus bool `json:"minus,omitempty"`
}

func (n Number) String() string {
	s := strconv.FormatUint(n.N, 10)
	if n.Minus {
		return "-" + s
	}
	return s
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

// Get is one counter by its key: its words joined with _, such as
// "large_sends"; "packets_sent.window_update_packets" where the parent is
// needed; "data_packets.bytes" for a number in brackets. ok is false if the
// counter is not there, is named more than once, or visibly passed its width.
func (p *Protocol) Get(key string) (count uint64, ok bool) {
	n := p.index()[stem(key)]
	if n == nil || n.Minus {
		return 0, false
	}
	return n.N, true
}

// Each calls fn for every counter that Get would give under the entry's own
// key, below those of the entries it is under, in printed order.
func (p *Protocol) Each(fn func(key string, count uint64)) {
	index := p.index()
	walk("", p.Entries, func(above string, e *Entry) {
		key := above + e.Key()
		if n := index[stem(key)]; n != nil && !n.Minus {
			fn(key, n.N)
		}
	})
}

// walk hands over entries with the keys above them, each with a point behind it.
func walk(above string, entries []*Entry, fn func(above string, e *Entry)) {
	for _, e := range entries {
		fn(above, e)
		walk(above+e.Key()+".", e.Children, fn)
	}
}

// index are the numbers by the stems of their keys, alone and behind that of the entry above;
// nil for a stem that several have.
func (p *Protocol) index() map[string]*Number {
	out := map[string]*Number{}
	walk("", p.Entries, func(above string, e *Entry) {
		parent := above[strings.LastIndexByte(strings.TrimSuffix(above, "."), '.')+1:]
		for i, key := range e.keys()[:min(len(e.keys()), len(e.Values))] {
			for _, name := range slices.Compact([]string{stem(key), stem(parent + key)}) {
				n := &e.Values[i]
				if _, twice := out[name]; twice {
					n = nil
				}
				out[name] = n
			}
		}
	})
	return out
}
