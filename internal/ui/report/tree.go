package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report/doc"
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
	Role       string     `json:"role,omitempty"` // real adapter, trunk, control channel, member, backup
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

// TreesOf makes the trees of a fleet.
func TreesOf(f *model.Fleet) *Trees {
	t := &Trees{Schema: SchemaTree, Hosts: []HostTree{}, Gaps: []model.Gap{}}
	clients := attached(f, t)
	for _, h := range f.Hosts {
		ht := HostTree{Host: h.Name, Platform: string(h.Platform), System: h.MachineID, Elements: []*Branch{}}
		g := newGrower(h, clients)
		for _, name := range roots(h) {
			ht.Elements = append(ht.Elements, g.branch(name, "", 0))
		}
		t.Hosts = append(t.Hosts, ht)
	}
	return t
}

// attached joins every client's adapter to the trunks that carry it.
func attached(f *model.Fleet, t *Trees) map[model.Ref][]Attached {
	out := map[model.Ref][]Attached{}
	index := f.Bridging()
	join := func(h *model.Host, el *model.Element, hmc string) {
		bridges, gap := index.Of(h, el)
		if gap != nil {
			t.Gaps = append(t.Gaps, *gap)
		}
		for _, b := range bridges {
			at := model.Ref{Host: b.SEA.Host, Element: b.Trunk}
			out[at] = append(out[at], Attached{Ref: model.Ref{Host: h.Name, Element: el.Name}, VLAN: b.VLAN, Active: not(b.Standby),
				HMC: hmc, Seen: b.Counted})
		}
	}
	for _, h := range f.Hosts {
		for _, name := range h.Names(model.Virtual) {
			if el := h.Elements[name]; !h.Serves(el) {
				join(h, el, "")
			}
		}
	}
	for _, u := range f.Unread() {
		join(u.Host, u.Adapter, u.HMC)
	}
	return out
}

func not(b *bool) *bool {
	if b == nil {
		return nil
	}
	return new(!*b)
}

// roots are the elements that only interfaces are configured on.
func roots(h *model.Host) []string {
	held := map[string]bool{}
	for _, e := range h.Elements {
		if e.Kind == model.VLANDevice {
			held[e.On] = true
		}
	}
	var names []string
	for n, e := range h.Elements {
		adapter := e.Kind != model.Interface || e.On == "" || h.Elements[e.On] == nil
		if adapter && e.MemberOf == "" && !held[n] {
			names = append(names, n)
		}
	}
	order := []model.Kind{model.SEA, model.VLANDevice, model.EtherChannel}
	rank := func(n string) int {
		if i := slices.Index(order, h.Elements[n].Kind); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(rank(a)-rank(b), model.Natural(a, b))
	})
	return names
}

// grower makes one host's branches.
type grower struct {
	host    *model.Host
	clients map[model.Ref][]Attached
	based   map[string]bool     // bases of VLAN devices that are there already
	over    map[string][]string // adapter → the interfaces on it
	owned   map[string][]string // SEA or EtherChannel → its adapters
}

func newGrower(h *model.Host, clients map[model.Ref][]Attached) *grower {
	g := &grower{host: h, clients: clients, based: map[string]bool{}, over: map[string][]string{}, owned: map[string][]string{}}
	for _, n := range h.Names(model.Interface) {
		on := h.Elements[n].On
		g.over[on] = append(g.over[on], n)
	}
	for _, n := range slices.SortedFunc(maps.Keys(h.Elements), model.Natural) {
		if owner := h.Elements[n].MemberOf; owner != "" {
			g.owned[owner] = append(g.owned[owner], n)
		}
	}
	return g
}

const maxDepth = 8 // elements on elements; more is a circle

func (g *grower) branch(name, role string, depth int) *Branch {
	e := g.host.Elements[name]
	if e == nil || depth > maxDepth {
		return &Branch{Element: name, Kind: "unknown", Role: role}
	}
	if role == "base" {
		if g.based[name] { // of another VLAN device too: it and its packets are there once
			return &Branch{Element: name, Kind: string(e.Kind), Role: role}
		}
		g.based[name] = true
	}
	b := &Branch{
		Element: name, Kind: string(e.Kind), Role: role, State: e.HAState, LinkUp: e.LinkUp, SpeedMb: e.SpeedMb,
		PVID: e.PVID, VLANs: e.VLANs, VSwitch: e.VSwitch, Interfaces: g.interfaces(name),
		Clients: g.clients[model.Ref{Host: g.host.Name, Element: name}],
	}
	b.PacketsIn, b.PacketsOut = count(e, "rx.Packets", "rx_packets"), count(e, "tx.Packets", "tx_packets")
	if b.State == "" && e.State != "Available" {
		b.State = e.State
	}
	add := func(role string, names ...string) {
		for _, n := range names {
			if n != "" && n != name {
				b.Below = append(b.Below, g.branch(n, role, depth+1))
			}
		}
	}
	switch e.Kind {
	case model.SEA:
		add("real adapter", e.Real)
		add("trunk", e.Trunks...)
		add("control channel", e.Control)
	case model.EtherChannel:
		add("member", e.Members...)
		members := map[string]bool{}
		for _, n := range e.Members {
			members[n] = true
		}
		for _, n := range g.owned[name] {
			if !members[n] {
				add("backup", n)
			}
		}
	case model.VLANDevice:
		add("base", e.On)
	}
	return b
}

func (g *grower) interfaces(adapter string) []string {
	var out []string
	for _, n := range g.over[adapter] {
		text := n
		for _, a := range g.host.Elements[n].Addrs {
			text += " " + a.String()
		}
		out = append(out, text)
	}
	return out
}

func count(e *model.Element, names ...string) *uint64 {
	for _, n := range names {
		if v, ok := e.Counters.Get(n); ok {
			return &v
		}
	}
	return nil
}

// shortKinds are the names that topas -E puts behind an adapter's name.
var shortKinds = map[string]string{
	"sea": "SEA", "etherchannel": "EC", "physical-adapter": "PHYS", "virtual-adapter": "VETH", "vnic": "VNIC", "vlan": "VLAN",
	"interface": "IF",
}

// Tree lists the trees. Clients are below the trunk that carries them.
func Tree(d *Document, of *Trees) {
	for i, h := range of.Hosts {
		if i > 0 {
			d.Gap()
		}
		d.Line("%s", doc.Styled(doc.Head, strings.TrimSpace(strings.Join([]string{h.Host, h.Platform, h.System}, "  "))))
		t := doc.NewWrapped(h.Host, doc.Left("network"), doc.Left("below").On(doc.Data), doc.Left("state"), doc.Left("link"),
			doc.Right("packets in"), doc.Right("packets out"), doc.Left("VLANs, interfaces, clients"))
		for _, b := range h.Elements {
			addBranch(t, b, "", "", "")
		}
		if len(h.Elements) == 0 {
			t.Note(doc.Cell{Text: "no network element was read"})
		}
		d.Table(t)
	}
	addGaps(d, of.Gaps)
}

// addBranch adds an element and what is below it. lead draws the tree up to the
// element, below that of its own elements; parent is the element above.
func addBranch(t *doc.Table, b *Branch, lead, below, parent string) {
	name := b.Element
	if shortKinds[b.Kind] != "" {
		name += " (" + ShortKind(b.Kind, b.Role) + ")"
	}
	t.Add(doc.Indent(lead, name), parent, Dash(b.State), link(b.LinkUp, b.SpeedMb), counterText(b.PacketsIn),
		counterText(b.PacketsOut), about(b))
	n := len(b.Below) + len(b.Clients)
	branch := func(i int) (string, string) {
		if i == n-1 {
			return below + "  \\--", below + "     "
		}
		return below + " |\\--", below + " |   "
	}
	for i, c := range b.Below {
		l, d := branch(i)
		addBranch(t, c, l, d, b.Element)
	}
	for i, c := range b.Clients {
		l, _ := branch(len(b.Below) + i)
		addClient(t, c, l, b.Element)
	}
}

func addClient(t *doc.Table, c Attached, lead, trunk string) {
	state := "-"
	if c.Active != nil {
		state = choose(*c.Active, "active", "backup")
	}
	note := fmt.Sprintf("VLAN %d", c.VLAN)
	if c.HMC != "" {
		note += "  not read, known from " + c.HMC
	}
	if c.Seen {
		note += "  as the SEA counts its frames"
	}
	t.Add(doc.Indent(lead, c.Ref.String()+" (client)"), trunk, state, "-", "-", "-", note)
}

// ShortKind is what topas -E calls such an element; "" if it has no name for it.
func ShortKind(kind, role string) string {
	if role == "control channel" {
		return "CTL"
	}
	return shortKinds[kind]
}

func about(b *Branch) string {
	var parts []string
	if b.PVID != nil {
		parts = append(parts, fmt.Sprintf("PVID %d", *b.PVID))
	}
	if len(b.VLANs) > 0 {
		parts = append(parts, "VLANs "+ranges(b.VLANs))
	}
	if b.VSwitch != "" {
		parts = append(parts, "on "+b.VSwitch)
	}
	return strings.Join(append(parts, b.Interfaces...), "  ")
}

// ranges writes 1 2 3 7 as 1-3,7.
func ranges(list []int) string {
	sorted := slices.Sorted(slices.Values(list))
	var parts []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] <= sorted[j]+1 {
			j++
		}
		if sorted[i] == sorted[j] {
			parts = append(parts, fmt.Sprint(sorted[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", sorted[i], sorted[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

func counterText(n *uint64) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}
