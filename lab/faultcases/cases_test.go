package faultcases

import (
	"math/rand/v2"
	"net/netip"
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

	// sets are the commands that bring it about, where it is a setting and not a fault of lab break.
	sets func(p *path, at place) []command
	// edit changes the node at its place in the topology, where nothing else brings it about.
	edit func(node map[string]any)
	// limits: without load it is a setting to fix, with load a cause.
	limits bool
}

// command is a command line on a host of a lab.
type command struct{ Host, Line string }

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
	{name: "largesend-off", causes: []string{"offload"}, places: senderOf, limits: true, sets: senderSet("mtu_bypass=off")},
	{name: "checksum-off", causes: []string{"offload"}, places: singleSender, limits: true, sets: func(p *path, _ place) []command {
		return []command{{p.from.Host, detached(p.from, "chdev -l "+adapterOf(p.from)+" -a chksum_offload=no")}}
	}},
	{name: "sea-largesend-off", causes: []string{"offload"}, places: seasOf, limits: true, sets: func(_ *path, at place) []command {
		host, sea, _ := strings.Cut(at.target, ":")
		return []command{{host, "chdev -l " + sea + " -a largesend=0"}}
	}},
	{name: "small-window", causes: []string{"window", "tcp-settings"}, places: senderOf, limits: true, sets: senderSet("tcp_sendspace=16384 -a rfc1323=0")},
	{name: "sb-max", causes: []string{"window", "tcp-settings"}, places: farEnd, limits: true, sets: func(p *path, _ place) []command {
		return []command{{p.to.Host, "no -o sb_max=65536"}}
	}},
	{name: "mtu-one-end", causes: []string{"mtu-ends", "mtu-settings"}, places: singleFarEnd, sets: jumboAtFarEnd},
	{name: "netmask", causes: []string{"netmask"}, places: farEnd, stops: true, sets: func(p *path, _ place) []command {
		return []command{{p.to.Host, "chdev -l " + p.to.Element + " -a netmask=255.255.255.252"}}
	}},
	{name: "host-route", causes: []string{"detour"}, places: senderOf, stops: true, sets: func(p *path, _ place) []command {
		return []command{{p.from.Host, "route add -host " + p.address(p.to).String() + " " + p.other().String()}}
	}},
	{name: "vlan-missing", causes: []string{"vlan-missing"}, places: secondTrunks, stops: true, edit: withoutLastTrunk},
	{name: "entitlement", causes: []string{"cpu-limit", "cpu"}, places: fastFarEnd, limits: true, edit: func(node map[string]any) {
		node["entitled"], node["mode"], node["vcpus"] = 0.1, "Capped", 1
	}},
	{name: "clock-jump", values: []string{"1h", "-15m"}, causes: []string{"clock"}, places: hostsOf},
}

// path holds what two partitions are joined by, as a lab in order has it.
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

// senderOf is the sending end, where it runs AIX.
func senderOf(p *path) []place { return p.aix(p.from) }

// farEnd is the receiving end, where it runs AIX.
func farEnd(p *path) []place { return p.aix(p.to) }

func (p *path) aix(at end) []place {
	if _, n, ok := p.top.Node(at.Host); !ok || n.OS != "" || p.adapter(at) == nil {
		return nil
	}
	return []place{{at.Host + ":" + at.Element, []string{at.Host}}}
}

// seasOf are the SEAs of the path.
func seasOf(p *path) []place {
	var out []place
	for _, e := range p.elements {
		if a := p.adapter(e); a != nil && a.Kind == topology.SEA && strings.HasPrefix(e.Element, "ent") {
			out = append(out, place{e.Host + ":" + e.Element, []string{e.Host}})
		}
	}
	return out
}

// secondTrunks are the active VIOSes of the path whose SEA has a partner and more than one
// trunk adapter, of which the last carries the path.
func secondTrunks(p *path) []place {
	var out []place
	for _, at := range seasOf(p) {
		host, sea, _ := strings.Cut(at.target, ":")
		_, n, _ := p.top.Node(host)
		a := n.Adapter(sea)
		if len(a.Trunks) < 2 || n.Set[sea]["ha_mode"] == "" {
			continue
		}
		last := a.Trunks[len(a.Trunks)-1]
		if slices.ContainsFunc(p.elements, func(e element) bool { return e.Host == host && e.Element == last }) {
			out = append(out, at)
		}
	}
	return out
}

// withoutLastTrunk takes the last trunk adapter from the SEA of a VIOS.
func withoutLastTrunk(node map[string]any) {
	adapters := node["adapters"].(map[string]any)
	for _, a := range adapters {
		sea := a.(map[string]any)
		trunks, ok := sea["trunks"].([]any)
		if !ok || len(trunks) < 2 {
			continue
		}
		sea["trunks"] = trunks[:len(trunks)-1]
		delete(adapters, trunks[len(trunks)-1].(string))
	}
}

// senderSet sets attributes of the sending interface.
func senderSet(attributes string) func(*path, place) []command {
	return func(p *path, _ place) []command {
		return []command{{p.from.Host, "chdev -l " + p.from.Element + " -a " + attributes}}
	}
}

// detached runs a command while an interface is detached from its adapter.
func detached(at end, line string) string {
	return "ifconfig " + at.Element + " detach; " + line + " && chdev -l " + at.Element + " -a state=up"
}

// jumboAtFarEnd gives the receiving end an MTU of 9000, and its port too where it has one.
func jumboAtFarEnd(p *path, _ place) []command {
	line := "chdev -l " + p.to.Element + " -a mtu=9000"
	if a := p.adapter(p.to); a.Kind == topology.Physical {
		line = "chdev -l " + a.Name + " -a jumbo_frames=yes && " + line
	}
	return []command{{p.to.Host, detached(p.to, line)}}
}

// singleFarEnd is the receiving end, where it has one port and no EtherChannel.
func singleFarEnd(p *path) []place {
	if a := p.adapter(p.to); a == nil || a.Kind == topology.Channel {
		return nil
	}
	return farEnd(p)
}

// singleSender is the sending end, where it has one port, no EtherChannel, and no VLAN device
// that would hold the port while its settings are changed.
func singleSender(p *path) []place {
	a := p.adapter(p.from)
	if a == nil || a.Kind == topology.Channel {
		return nil
	}
	_, n, _ := p.top.Node(p.from.Host)
	if slices.ContainsFunc(n.Adapters, func(o topology.Adapter) bool { return o.Kind == topology.VLAN && o.Base == a.Name }) {
		return nil
	}
	return senderOf(p)
}

// fastFarEnd is the receiving end, where a tenth of a core is too little for the line.
func fastFarEnd(p *path) []place {
	const fast = 10e9
	for _, e := range p.elements {
		if a := p.adapter(e); a != nil && a.Kind == topology.Physical && a.LineRate < fast {
			return nil
		}
	}
	return farEnd(p)
}

func adapterOf(at end) string { return "ent" + strings.TrimPrefix(at.Element, "en") }

// address is that of an interface of the topology.
func (p *path) address(at end) netip.Addr {
	_, n, _ := p.top.Node(at.Host)
	i := slices.IndexFunc(n.Interfaces, func(i topology.Interface) bool { return i.Name == at.Element })
	return n.Interfaces[i].Address.Addr()
}

// other is an address in the network of the path that is none of its ends'; the last
// of the network if no host has one.
func (p *path) other() netip.Addr {
	network := netip.Prefix{}
	_, n, _ := p.top.Node(p.from.Host)
	for _, i := range n.Interfaces {
		if i.Name == p.from.Element {
			network = i.Address.Masked()
		}
	}
	for _, n := range p.top.Nodes() {
		for _, i := range n.Interfaces {
			if a := i.Address.Addr(); network.Contains(a) && n.Name != p.from.Host && n.Name != p.to.Host {
				return a
			}
		}
	}
	bytes := network.Addr().As4()
	bytes[3] |= 0xfe
	return netip.AddrFrom4(bytes)
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

	want     []wanted // one for each fault
	commands []command
	edits    map[string]func(map[string]any) // by node
}

type wanted struct {
	causes, hosts []string
	limits        bool
}

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
					x.add(p, k, at, dice)
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
			if k.stops || k.root || k.sets != nil || k.edit != nil || len(places) == 0 || len(x.Faults) == want {
				continue
			}
			at := places[dice.IntN(len(places))]
			if host, _, _ := strings.Cut(at.target, ":"); !used[host] {
				used[host] = true
				x.add(p, k, at, dice)
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

func (x *testCase) add(p *path, k kind, at place, dice *rand.Rand) {
	f := fault.Fault{Kind: k.name, Target: at.target}
	if len(k.values) > 0 {
		f.Value = k.values[dice.IntN(len(k.values))]
	}
	x.Faults = append(x.Faults, f)
	x.want = append(x.want, wanted{k.causes, at.hosts, k.limits})
	if k.sets != nil {
		x.commands = append(x.commands, k.sets(p, at)...)
	}
	if k.edit != nil {
		host, _, _ := strings.Cut(at.target, ":")
		x.edits = map[string]func(map[string]any){host: k.edit}
	}
}
