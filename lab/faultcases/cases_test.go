package faultcases

import (
	"math/rand/v2"
	"slices"
	"strings"

	"seaworthy/lab/fault"
	"seaworthy/lab/topology"
)

// kind is a kind of fault: where it can be on a path, and what diagnose has to call it.
type kind struct {
	name   string
	values []string // one is drawn
	causes []string // of catalog/symptoms.yaml, each right
	places func(p *path) []place
	load   bool // shows only under load
	root   bool // only in a lab started as root
	stops  bool // the path, so that no other fault of it shows
}

// place is a target of a fault, and the hosts of which one has to be named; none: the
// cause is right wherever it is seen.
type place struct {
	target string
	hosts  []string
}

var kinds = []kind{
	{name: "crash", causes: []string{"host-down"}, places: hostsOf, stops: true},
	{name: "port-down", causes: []string{"no-link"}, places: portsOf, stops: true},
	{name: "flap", values: []string{"1s", "2s"}, causes: []string{"link-flap"}, places: portsOf, stops: true},
	{name: "loss", values: []string{"0.5", "1", "3"}, causes: []string{"damaged-frames"}, places: portsOf},
	{name: "duplex", values: []string{"2", "5"}, causes: []string{"duplex-mismatch"}, places: portsOf},
	{name: "no-jumbo", values: []string{"1400", "1200"}, causes: []string{"mtu-black-hole"}, places: switchPortsOf},
	{name: "delay", values: []string{"2ms", "5ms", "10ms"}, causes: []string{"delay"}, places: switchPortsOf},
	{name: "control-channel", causes: []string{"split-brain"}, places: pairsOf, stops: true},
	{name: "full-buffers", values: []string{"20M", "50M"}, causes: []string{"slow-receiver"}, places: receiverOf, load: true, root: true},
	{name: "clock-jump", values: []string{"1h", "-15m"}, causes: []string{"clock"}, places: hostsOf},
}

// path is what two partitions are joined by, as a lab in order has it.
type path struct {
	top      *topology.Topology
	from, to end
	elements []element
}

type end struct{ Host, Element string }

type element = end

// hostsOf are the VIOSes of the path and its far end.
func hostsOf(p *path) []place {
	var out []place
	for _, e := range p.elements {
		if at := (place{e.Host, []string{e.Host}}); e.Host != p.from.Host && !slices.ContainsFunc(out, at.same) {
			out = append(out, at)
		}
	}
	return out
}

func (at place) same(o place) bool { return at.target == o.target }

// portsOf are the physical ports that frames of the path pass. Those of an
// EtherChannel are left out: which of them carries a stream is chance.
func portsOf(p *path) []place {
	var out []place
	for _, e := range p.elements {
		_, n, _ := p.top.Node(e.Host)
		a := p.adapter(e)
		if a == nil || a.Kind != topology.Physical {
			continue
		}
		member := func(c topology.Adapter) bool { return c.Kind == topology.Channel && slices.Contains(c.Holds(), a.Name) }
		if !slices.ContainsFunc(n.Adapters, member) {
			out = append(out, place{e.Host + ":" + a.Name, []string{e.Host}})
		}
	}
	return out
}

// switchPortsOf are the switch's ends of those cables.
func switchPortsOf(p *path) []place {
	var out []place
	for _, at := range portsOf(p) {
		host, port, _ := strings.Cut(at.target, ":")
		out = append(out, place{target: p.adapter(element{host, port}).Port})
	}
	return out
}

// pairsOf are the managed systems of the path whose SEAs have a control channel.
func pairsOf(p *path) []place {
	var out []place
	for _, s := range p.top.Systems {
		at := place{target: s.Name}
		passed := false
		for i := range s.Nodes {
			n := &s.Nodes[i]
			for _, a := range n.Adapters {
				if a.Kind == topology.SEA && n.Set[a.Name]["ha_mode"] != "" && n.Set[a.Name]["ha_mode"] != "disabled" {
					at.hosts = append(at.hosts, n.Name)
					passed = passed || slices.ContainsFunc(p.elements, func(e element) bool { return e.Host == n.Name })
				}
			}
		}
		if passed && len(at.hosts) > 1 {
			out = append(out, at)
		}
	}
	return out
}

// receiverOf is the virtual adapter of the far end.
func receiverOf(p *path) []place {
	if a := p.adapter(p.to); a != nil && a.Kind == topology.Virtual {
		return []place{{p.to.Host + ":" + a.Name, []string{p.to.Host}}}
	}
	return nil
}

// adapter is that of an element; nil if it is none.
func (p *path) adapter(e element) *topology.Adapter {
	_, n, ok := p.top.Node(e.Host)
	if !ok {
		return nil
	}
	return n.Adapter("ent" + strings.TrimPrefix(strings.TrimPrefix(e.Element, "en"), "t"))
}

// testCase is a case: what is broken in a fresh lab, and what has to be found.
type testCase struct {
	Topology string        `json:"topology"`
	From     string        `json:"from"`
	To       string        `json:"to"`
	Faults   []fault.Fault `json:"faults"`
	Load     bool          `json:"load"`

	want []wanted // one for each fault
}

type wanted struct{ causes, hosts []string }

// single are all cases of one fault: each kind at two places of each topology, with
// and without load, in an order that the seed gives.
func single(paths []*path, root bool, dice *rand.Rand) []testCase {
	var out []testCase
	for _, k := range kinds {
		for _, p := range paths {
			places := k.places(p)
			dice.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
			for _, at := range places[:min(2, len(places))] {
				for _, load := range []bool{false, true} {
					if k.root && !root || k.load && !load {
						continue
					}
					x := p.newCase(load)
					x.add(k, at, dice)
					out = append(out, x)
				}
			}
		}
	}
	dice.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// several is a case of two or three faults of different kinds at different places,
// none of which keeps another from being seen.
func several(paths []*path, dice *rand.Rand) testCase {
	for {
		p := paths[dice.IntN(len(paths))]
		x := p.newCase(dice.IntN(2) == 0)
		want, used := 2+dice.IntN(2), map[string]bool{}
		for _, i := range dice.Perm(len(kinds)) {
			k := kinds[i]
			places := k.places(p)
			if k.stops || k.root || len(places) == 0 || len(x.Faults) == want {
				continue
			}
			at := places[dice.IntN(len(places))]
			if host, _, _ := strings.Cut(at.target, ":"); !used[host] {
				used[host] = true
				x.add(k, at, dice)
			}
		}
		if len(x.Faults) > 1 {
			return x
		}
	}
}

func (p *path) newCase(load bool) testCase {
	return testCase{Topology: p.top.Name, From: p.from.Host + ":" + p.from.Element, To: p.to.Host + ":" + p.to.Element, Load: load}
}

func (x *testCase) add(k kind, at place, dice *rand.Rand) {
	f := fault.Fault{Kind: k.name, Target: at.target}
	if len(k.values) > 0 {
		f.Value = k.values[dice.IntN(len(k.values))]
	}
	x.Faults = append(x.Faults, f)
	x.want = append(x.want, wanted{k.causes, at.hosts})
}
