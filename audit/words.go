package audit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"seaworthy/catalog"
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

func (s *session) num(e *element, name string) (int, error) {
	v, err := s.attr(e, name)
	if err != nil {
		return 0, err
	}
	if n, ok := number(v); ok {
		return n, nil
	}
	return 0, missing(describe(e, fmt.Sprintf("%s: %q is not a number", name, v), s.howToRead(e, name)))
}

func (s *session) on(e *element, name string) (bool, error) {
	v, err := s.attr(e, name)
	if err != nil {
		return false, err
	}
	if b, ok := boolean(v); ok {
		return b, nil
	}
	return false, missing(describe(e, fmt.Sprintf("%s: %q is neither on nor off", name, v), s.howToRead(e, name)))
}

// allowed gives the largest value the host itself allows (lsattr -R).
func (s *session) allowed(e *element, name string) (int, error) {
	a := e.is.Attrs[name]
	if a != nil && len(a.Allowed) > 0 {
		last := a.Allowed[len(a.Allowed)-1]
		if _, to, ok := strings.Cut(last, "..."); ok {
			last, _, _ = strings.Cut(to, " ")
		}
		if n, ok := number(last); ok {
			return n, nil
		}
	}
	return 0, missing(describe(e, "largest allowed "+name, "lsattr -Rl "+e.Name+" -a "+name))
}

// drift lists the attributes whose next-boot value differs. Of an element in
// use at least one must be known in both ways: what was not compared did not
// prove equal.
func (s *session) drift(e *element) ([]string, error) {
	if e.used() && !slices.ContainsFunc(slices.Collect(maps.Values(e.is.Attrs)), both) {
		return nil, missing(describe(e, "values in force beside those of the next boot", comparedBy(e)))
	}
	var names []string
	for _, n := range drifted(e.is.Attrs) {
		if s.claimed[value{e.ref(), n}] || s.own(e, n) {
			continue
		}
		names = append(names, n)
		a := e.is.Attrs[n]
		s.seen.add(Evidence{Host: e.Host, Command: s.howToRead(e, n),
			Text: fmt.Sprintf("%s %s: running %s, next boot %s", e.Name, n, *a.Running, *a.NextBoot)})
	}
	return names, nil
}

func both(a *inventory.Attr) bool { return a != nil && a.Running != nil && a.NextBoot != nil }

// comparedBy names the commands that show an element's values in both ways.
func comparedBy(e *element) string {
	switch e.Kind {
	case kindTunables:
		return "no -L"
	case string(inventory.Interface):
		return "lsattr -El " + e.Name + ", ifconfig " + e.Name
	}
	return "lsattr -El " + e.Name + ", entstat -d " + e.Name
}

// up says whether an interface is up, which a host that printed neither
// ifconfig nor netstat -in did not say.
func (s *session) up(e *element) (bool, error) {
	if e.is.Up == nil {
		return false, missing(describe(e, "whether it is up", "ifconfig "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "ifconfig " + e.Name, Text: e.Name + map[bool]string{true: " is up", false: " is down"}[*e.is.Up]})
	return *e.is.Up, nil
}

// own says that AIX itself gives an option of no its running value: one that
// nothing sets (thewall), or one that we know nothing of and whose next value
// is its default (poolbuckets grows with the processors).
func (s *session) own(e *element, name string) bool {
	if e.Kind != kindTunables || e.Platform == string(inventory.Linux) {
		return false
	}
	if a, ok := s.cat.Attribute("no", name); ok {
		return a.ReadOnly || len(a.Set) == 0
	}
	a := e.is.Attrs[name]
	return a.Default != nil && *a.Default == *a.NextBoot
}

// changed says whether an attribute is not at its default.
func (s *session) changed(e *element, name string) (bool, error) {
	v, err := s.attr(e, name)
	if err != nil {
		return false, err
	}
	a := e.is.Attrs[name]
	if a.Default == nil {
		return false, missing(describe(e, "default of "+name, "no -L"))
	}
	return v != *a.Default, nil
}

func (s *session) linkUp(e *element) (bool, error) {
	if e.is.LinkUp == nil {
		return false, missing(describe(e, "link state", "entstat -d "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: countedBy(e), Text: e.Name + " link: " + map[bool]string{true: "up", false: "down"}[*e.is.LinkUp]})
	return *e.is.LinkUp, nil
}

func (s *session) speed(e *element) (int, error) {
	if e.is.SpeedMb == nil {
		return 0, missing(describe(e, "link speed", "entstat -d "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: fmt.Sprintf("%s speed %d Mbit/s", e.Name, *e.is.SpeedMb)})
	return int(*e.is.SpeedMb), nil
}

func (s *session) trunk(e *element) (bool, error) {
	if e.is.Trunk == nil {
		return false, missing(describe(e, "whether it is a trunk adapter", "entstat -d "+e.Name))
	}
	return *e.is.Trunk, nil
}

func (s *session) haState(e *element) (string, error) {
	if e.is.HAState == "" {
		return "", missing(describe(e, "high availability state", "entstat -d "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: e.Name + " State: " + e.is.HAState})
	return e.is.HAState, nil
}

// vlans gives the PVID and the tagged VLANs of a virtual adapter, sorted.
func (s *session) vlans(e *element) ([]int, error) {
	if e.is.PVID == nil {
		return nil, missing(describe(e, "port VLAN id", "entstat -d "+e.Name))
	}
	out := append([]int{*e.is.PVID}, e.is.VLANs...)
	slices.Sort(out)
	return slices.Compact(out), nil
}

// level says whether the host's level is from (included) to below.
func (s *session) level(e *element, from, below string) (bool, error) {
	have := e.of.Level
	if e.of.Platform == inventory.VIOS {
		have = e.of.IOSLevel
	}
	if have == "" {
		return false, missing(describe(e, "software level", "oslevel -s, ioslevel"))
	}
	a, err := levelFrom(have, from)
	if err != nil {
		return false, missing(describe(e, err.Error(), ""))
	}
	b, err := levelFrom(have, below)
	if err != nil {
		return false, missing(describe(e, err.Error(), ""))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "oslevel -s", Text: "level " + have})
	return a && !b, nil
}

func levelFrom(have, from string) (bool, error) {
	c, err := catalog.CompareLevels(have, from)
	return c >= 0, err
}

// protocol gives a counter of the host's protocols: what was added between two
// snapshots, or the total. They have no age; a host whose counters fell was
// started again, or they were zeroed.
func (s *session) protocol(e *element, name string) (int, error) {
	v, ok := e.of.Protocols.Get(name)
	if !ok {
		return 0, missing(fmt.Sprintf("%s: %s (netstat -s)", e.Host, name))
	}
	s.seen.counters = true
	text := strconv.FormatUint(v, 10)
	if h := s.joins.earlier[e.Host]; h != nil {
		then, had := h.Protocols.Get(name)
		switch {
		case !had:
			return 0, missing(fmt.Sprintf("%s: growth of %s: the earlier snapshot does not have it", e.Host, name))
		case v < then || protocolsFell(e.of, h) || restarted(e.of, h):
			return 0, missing(fmt.Sprintf("%s: growth of %s: the counters began anew between the snapshots", e.Host, name))
		}
		v -= then
		text = span{grows: true, seconds: int64(between(e.of, h).Seconds())}.counted(v, false)
	} else {
		s.seen.totals = true
	}
	s.seen.add(Evidence{Host: e.Host, Command: "netstat -s", Text: name + ": " + text})
	return int(min(v, 1<<62)), nil
}

// partition gives a figure of lparstat -i: "entitled", "virtual_cpus", "weight".
func (s *session) partition(e *element, what string) (float64, error) {
	p := e.of.Partition
	switch {
	case what == "entitled" && p.Entitled != nil:
		return *p.Entitled, nil
	case what == "virtual_cpus" && p.VirtualCPUs != nil:
		return float64(*p.VirtualCPUs), nil
	case what == "weight" && p.Weight != nil:
		return float64(*p.Weight), nil
	}
	return 0, missing(e.Host + ": " + strings.ReplaceAll(what, "_", " ") + " (lparstat -i)")
}

func (s *session) pvid(e *element) (int, error) {
	if e.is.PVID == nil {
		return 0, missing(describe(e, "port VLAN id", "entstat -d "+e.Name))
	}
	s.seen.add(Evidence{Host: e.Host, Command: "entstat -d " + e.Name, Text: fmt.Sprintf("%s Port VLAN ID: %d", e.Name, *e.is.PVID)})
	return *e.is.PVID, nil
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
