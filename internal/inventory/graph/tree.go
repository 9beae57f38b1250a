package graph

import (
	"cmp"
	"slices"

	"seaworthy/internal/inventory/model"
)

// SchemaTree names the format of show tree -f json.
const SchemaTree = "seaworthy.tree/1"

// Trees is the device hierarchy of every host, as topas -E shows it: an
// SEA with its real adapter and its virtual ones below it.
type Trees struct {
	Schema string      `json:"schema"`
	Hosts  []HostTree  `json:"hosts"`
	Gaps   []model.Gap `json:"gaps"` // clients that no SEA could be proved for
}

// HostTree is one host's.
type HostTree struct {
	Host     string    `json:"host"`
	Platform string    `json:"platform"`
	System   string    `json:"system,omitempty"` // the managed system
	Elements []*Branch `json:"elements"`
}

// Branch is an element with its lower devices. Nil and empty mean unknown.
type Branch struct {
	Element    string     `json:"element"`
	Kind       string     `json:"kind"`
	Role       string     `json:"role,omitempty"` // real adapter, trunk, control channel, member, backup, base
	State      string     `json:"state,omitempty"`
	LinkUp     *bool      `json:"link_up,omitempty"`
	SpeedMb    *int64     `json:"speed_mbit,omitempty"`
	PVID       *int       `json:"pvid,omitempty"`
	VLANs      []int      `json:"vlans,omitempty"`
	VSwitch    string     `json:"vswitch,omitempty"`
	PacketsIn  *uint64    `json:"packets_in,omitempty"`
	PacketsOut *uint64    `json:"packets_out,omitempty"`
	Interfaces []string   `json:"interfaces,omitempty"` // on it, with their addresses
	Clients    []Attached `json:"clients,omitempty"`    // of a trunk adapter
	Below      []*Branch  `json:"below,omitempty"`
}

// Attached is a client's virtual adapter that a trunk adapter carries.
type Attached struct {
	model.Ref
	VLAN   int   `json:"vlan"`
	Active *bool `json:"active,omitempty"` // its frames go this way now; false: the SEA is its backup; nil: not known
	// HMC is the HMC that reported a client which was not read itself; the
	// element is its slot then.
	HMC  string `json:"hmc,omitempty"`
	Seen bool   `json:"seen,omitempty"` // joined by the SEA's counts of its frames
}

// Trees makes the trees of all hosts.
func (g *Graph) Trees() *Trees {
	t := &Trees{Schema: SchemaTree, Hosts: []HostTree{}, Gaps: []model.Gap{}}
	clients := g.attached(t)
	for _, h := range g.fleet.Hosts {
		if g.hosts[h.Name] != h {
			continue
		}
		b := &treeBuilder{clients: clients, shown: map[*Element]bool{}}
		ht := HostTree{Host: h.Name, Platform: string(h.Platform), System: h.MachineID, Elements: []*Branch{}}
		for _, e := range g.roots(h.Name) {
			ht.Elements = append(ht.Elements, b.branch(Edge{To: e, Ref: e.Ref()}, ""))
		}
		t.Hosts = append(t.Hosts, ht)
	}
	return t
}

// attached joins every client's adapter to the trunks that carry it.
func (g *Graph) attached(t *Trees) map[*Element][]Attached {
	out := map[*Element][]Attached{}
	for _, e := range g.each() {
		if e.Is.Kind != model.Virtual || e.Source == "" && e.Of.Serves(e.Is) {
			continue
		}
		bridges, gap := e.Bridges()
		if gap != nil {
			t.Gaps = append(t.Gaps, *gap)
		}
		for _, x := range bridges {
			c := Attached{Ref: e.Ref(), VLAN: x.VLAN, HMC: e.Source, Seen: x.Counted}
			if x.State != Unknown {
				c.Active = new(x.State == Active)
			}
			out[x.To] = append(out[x.To], c)
		}
	}
	return out
}

// roots are the elements of a host that only interfaces are configured on.
func (g *Graph) roots(host string) []*Element {
	var out []*Element
	for _, e := range g.Of(host) {
		isBase := slices.ContainsFunc(e.Up(On), func(x Edge) bool { return x.From.Is.Kind == model.VLANDevice })
		on, _ := firstDown(e, On)
		onAdapter := e.Is.Kind == model.Interface && on.To != nil
		if e.Kind != KindHost && e.Kind != KindTunables && !onAdapter && !isBase && e.Is.MemberOf == "" {
			out = append(out, e)
		}
	}
	order := []model.Kind{model.SEA, model.VLANDevice, model.EtherChannel}
	rank := func(e *Element) int {
		if i := slices.Index(order, e.Is.Kind); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortFunc(out, func(a, b *Element) int { return cmp.Or(rank(a)-rank(b), model.Natural(a.Name, b.Name)) })
	return out
}

// treeBuilder makes one host's branches.
type treeBuilder struct {
	clients map[*Element][]Attached
	shown   map[*Element]bool
}

// branch makes that of an edge's lower end. What is there already, as the base of several VLAN
// devices is, has its packets and lower devices there only.
func (b *treeBuilder) branch(x Edge, role string) *Branch {
	e := x.To
	if e == nil {
		return &Branch{Element: x.Ref.Element, Kind: "unknown", Role: role}
	}
	if b.shown[e] {
		return &Branch{Element: e.Name, Kind: e.Kind, Role: role}
	}
	b.shown[e] = true
	is := e.Is
	out := &Branch{
		Element: e.Name, Kind: e.Kind, Role: role, State: is.HAState, LinkUp: is.LinkUp, SpeedMb: is.SpeedMb,
		PVID: is.PVID, VLANs: is.VLANs, VSwitch: is.VSwitch, Interfaces: interfacesOn(e), Clients: b.clients[e],
		PacketsIn: counter(is, "rx.Packets", "rx_packets"), PacketsOut: counter(is, "tx.Packets", "tx_packets"),
	}
	if out.State == "" && is.State != "Available" {
		out.State = is.State
	}
	for _, lower := range e.Down(Real, Trunk, Control, Member, Backup, On) {
		if role, ok := roleBelow(is.Kind, lower.Relation); ok && lower.To != e {
			out.Below = append(out.Below, b.branch(lower, role))
		}
	}
	return out
}

// base is the role of what a VLAN device stands on.
const base = "base"

// roleBelow is the role in which an element of a kind shows one that it uses; false: it does not.
func roleBelow(kind model.Kind, relation Relation) (string, bool) {
	switch kind {
	case model.SEA:
		return string(relation), relation == Real || relation == Trunk || relation == Control
	case model.EtherChannel:
		return string(relation), relation == Member || relation == Backup
	case model.VLANDevice:
		return base, relation == On
	}
	return "", false
}

func interfacesOn(e *Element) []string {
	var out []string
	for _, x := range e.Up(On) {
		if x.From.Is.Kind != model.Interface {
			continue
		}
		text := x.From.Name
		for _, a := range x.From.Is.Addrs {
			text += " " + a.String()
		}
		out = append(out, text)
	}
	return out
}

// counter returns the first of an element's counters that it has; nil: none of them.
func counter(e *model.Element, names ...string) *uint64 {
	for _, n := range names {
		if v, ok := e.Counters.Get(n); ok {
			return &v
		}
	}
	return nil
}

// ShortKind returns what topas -E calls an element of a tree; "" if it has no name for it.
func ShortKind(kind, role string) string {
	if role == string(Control) {
		return "CTL"
	}
	return shortKinds[model.Kind(kind)]
}

// shortKinds are the names that topas -E puts behind an adapter's name.
var shortKinds = map[model.Kind]string{
	model.SEA: "SEA", model.EtherChannel: "EC", model.Physical: "PHYS", model.Virtual: "VETH", model.VNIC: "VNIC", model.VLANDevice: "VLAN",
	model.Interface: "IF",
}
