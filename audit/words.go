package audit

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// vocabulary gives the words a rule may use; doc.go explains them. Each takes
// elements of the run and either answers or says what is missing.
func (s *session) vocabulary() map[string]any {
	return map[string]any{
		// values of one element
		"attr":     s.attr,
		"num":      s.num,
		"on":       s.on,
		"off":      func(e *element, name string) (bool, error) { v, err := s.on(e, name); return !v, err },
		"has":      func(e *element, name string) bool { _, ok := s.value(e.is.Attrs[name]); return ok },
		"allowed":  s.allowed,
		"changed":  s.changed,
		"unusual":  s.unusual,
		"drift":    s.drift,
		"flag":     s.flag,
		"used":     func(e *element) bool { return e.used() },
		"up":       s.up,
		"link":     s.linkUp,
		"speed":    s.speed,
		"trunk":    s.trunk,
		"state":    s.haState,
		"bridging": s.bridging,
		"flow":     s.flow,
		"vlans":    s.vlans,
		"level":    s.level,

		// counters
		"counter":   s.counter,
		"counted":   func(e *element, names string) bool { return len(counterNamed(e.is.Counters, names, s.label)) > 0 },
		"deltas":    func(e *element) bool { return s.span(e).grows },
		"ppm":       s.ppm,
		"rate":      s.perSecond,
		"largesend": s.largesend,
		"differs":   s.differs,
		"pvid":      s.pvid,
		"vswitch":   s.vswitch,
		"starved":   s.starved,
		"grown":     s.grown,
		"roomier":   s.roomier,
		"topped":    s.topped,
		"pools":     s.pools,
		"low":       func(p *pool) (int, error) { return s.poolValue(p, "Lowest Registered", p.is.LowestRegistered) },
		"high":      func(p *pool) (int, error) { return s.poolValue(p, "Max Allocated", p.is.MaxAllocated) },
		"least":     func(p *pool) (int, error) { return s.poolValue(p, "Min Buffers", p.is.Min) },
		"most":      func(p *pool) (int, error) { return s.poolValue(p, "Max Buffers", p.is.Max) },
		"proto":     s.protocol,

		// other elements
		"adapter":    func(e *element) (*element, error) { return s.joins.adapterOf(e) },
		"ports":      func(e *element) ([]*element, error) { return s.joins.ports(e, 0) },
		"real":       func(e *element) (*element, error) { return s.joins.named(e, e.is.Real) },
		"trunks":     func(e *element) ([]*element, error) { return s.joins.list(e, e.is.Trunks, "trunk adapters") },
		"members":    func(e *element) ([]*element, error) { return s.joins.list(e, e.is.Members, "members") },
		"over":       func(e *element) []*element { return s.joins.over(e) },
		"owners":     func(e *element) []*element { return s.owners(e) },
		"interfaces": func(e *element) []*element { return s.interfaces(e) },
		"seas":       s.seas,
		"carriers":   s.carriers,
		"clients":    s.clients,
		"seen":       func(e *element) []*element { list, _ := s.clients(e); return list },
		"mates":      s.mates,
		"mixed":      s.mixed,
		"bridged":    s.bridged,
		"twice":      s.twice,
		"named":      func(e *element, name string) (*element, error) { return s.joins.named(e, name) },
		"loose":      func(e *element) []*element { return s.loose(e) },
		"unread":     s.unreadOf,
		"alone":      s.alone,
		"private":    s.private,
		"virtual":    s.virtual,
		"virtuals":   s.virtuals,
		"priority":   s.priority,
		"active":     s.active,
		"misplaced":  s.misplaced,
		"tag":        s.tag,
		"twins":      s.twinsOf,
		"torn":       s.torn,
		"controls":   s.controls,
		"siblings":   func(e *element, kind string) []*element { return s.siblings(e, kind) },
		"options":    s.tunables,

		// the network beyond
		"subnet_mtu": s.subnetMTU,
		"wider_mtu":  s.widerMTU,
		"agreed":     s.agreed,
		"peers":      s.peers,
		"within":     s.within,
		"measured":   s.measured,
		"given":      s.given,

		// TCP options in force
		"sendspace":      func(e *element) (int, error) { return s.optionNumber(e, "tcp_sendspace") },
		"recvspace":      func(e *element) (int, error) { return s.optionNumber(e, "tcp_recvspace") },
		"scaling":        func(e *element) (int, error) { return s.optionNumber(e, "rfc1323") },
		"below":          s.below,
		"largest_buffer": s.largestBuffer,

		"partition": s.partition,
		"fixed":     s.fixed,
		"unknown":   func(what string) (bool, error) { return false, missing(what) },

		"el":     &element{},
		"one_of": func(v string, list ...string) bool { return slices.Contains(list, v) },
		"list": func(s string) []string {
			return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
		},
		"third":   third,
		"doubled": doubled,
	}
}

// doubled gives the least of 65536, 131072, 262144 ... that is not below n.
func doubled(n float64) int {
	size := 65536
	for float64(size) < n && size < 1<<40 {
		size *= 2
	}
	return size
}

// third gives the third of three numbers in a string such as tcp_rmem's.
func third(v string) (int, error) {
	f := strings.Fields(v)
	if len(f) != 3 {
		return 0, missing(fmt.Sprintf("%q: three numbers were expected", v))
	}
	n, ok := number(f[2])
	if !ok {
		return 0, missing(fmt.Sprintf("%q: not a number", f[2]))
	}
	return n, nil
}

// peers gives the other ends of the paths that start or end at e.
func (s *session) peers(e *element) ([]*element, error) {
	var out []*element
	for _, p := range s.opts.Paths {
		for _, pair := range [][2]inventory.Ref{{p.From, p.To}, {p.To, p.From}} {
			if pair[0] == e.ref() {
				if x := s.joins.at(pair[1]); x != nil && !slices.Contains(out, x) {
					out = append(out, x)
				}
			}
		}
	}
	if len(out) == 0 {
		return nil, missing(describe(e, "its peer: no path was given", "--path"))
	}
	return out, nil
}
