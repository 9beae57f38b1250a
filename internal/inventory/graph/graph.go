package graph

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

// Graph is a fleet with its elements linked.
type Graph struct {
	fleet     *model.Fleet
	byHost    map[string][]*Element // in natural order, then the host itself and its tunables
	byRef     map[model.Ref]*Element
	addressed map[string]bool // hosts with an interface that was read
	bridging  *model.Bridging
	subnets   map[netip.Prefix][]*Element
	clients   map[*Element][]*Element // SEA or trunk adapter → client adapters
	unmatched map[string][]*Element   // machine → client adapters that lack what a join needs
	platforms map[string][]string     // machine → platforms seen on it
	macs      map[string][]*Element   // MAC address → adapters that have it
	addresses map[netip.Addr][]*Element
	networks  map[netip.Prefix][]*Element
	places    map[place][]*Element
	rivals    map[netip.Addr][]Rival
	unread    map[*Element][]*Element // SEA → client adapters that only an HMC knows
	bySystem  map[string]*hmcInventory
}

// BridgedBy gives the trunk adapters, of all VIOSes, that carry a virtual
// adapter's VLANs.
func (e *Element) BridgedBy() (trunks []*Element, err error) {
	bridges, gap := e.graph.bridging.Of(e.Of, e.Is)
	if gap != nil {
		return nil, e.Missing("its SEA: "+gap.Why, "")
	}
	return e.graph.add(nil, bridges), nil
}

// add gives the trunk adapters of bridges, each once, after those it has.
func (g *Graph) add(trunks []*Element, bridges []model.Bridge) []*Element {
	has := make(map[*Element]bool, len(trunks)+len(bridges))
	for _, t := range trunks {
		has[t] = true
	}
	for _, b := range bridges {
		if t := g.At(model.Ref{Host: b.SEA.Host, Element: b.Trunk}); t != nil && !has[t] {
			has[t], trunks = true, append(trunks, t)
		}
	}
	return trunks
}

// endsIn says whether the last of a list, which grows by one element after the
// other, is e.
func endsIn(list []*Element, e *Element) bool { return len(list) > 0 && list[len(list)-1] == e }

// At finds an element; nil if it was not read.
func (g *Graph) At(r model.Ref) *Element { return g.byRef[r] }

// Of gives the elements of a host in natural order, then the host itself and
// its tunables.
func (g *Graph) Of(host string) []*Element { return g.byHost[host] }

// InSubnet gives the interfaces of a network.
func (g *Graph) InSubnet(p netip.Prefix) []*Element { return g.subnets[p] }

// Subnets gives the networks in which an interface counts.
func (e *Element) Subnets() []netip.Prefix {
	if e.Is.Kind != model.Interface {
		return nil
	}
	var out []netip.Prefix
	for _, a := range e.Is.Addrs {
		if a.IsValid() && !a.Addr().IsLoopback() && !a.Addr().IsLinkLocalUnicast() {
			out = append(out, a.Masked())
		}
	}
	return out
}

func byRef(a, b *Element) int {
	return cmp.Or(cmp.Compare(a.Host, b.Host), model.Natural(a.Name, b.Name))
}

// maxUnmatched bounds how many unmatched clients of a machine are kept: one is
// enough to leave a question about all clients open.
const maxUnmatched = 100

// New links the elements of a fleet; the error is the context's.
func New(ctx context.Context, fleet *model.Fleet) (*Graph, error) {
	g := &Graph{
		fleet:     fleet,
		byHost:    map[string][]*Element{},
		byRef:     map[model.Ref]*Element{},
		addressed: map[string]bool{},
		bridging:  fleet.Bridging(),
		subnets:   map[netip.Prefix][]*Element{},
		clients:   map[*Element][]*Element{},
		unmatched: map[string][]*Element{},
		platforms: map[string][]string{},
		macs:      map[string][]*Element{},
		addresses: map[netip.Addr][]*Element{},
		networks:  map[netip.Prefix][]*Element{},
		places:    map[place][]*Element{},
		rivals:    map[netip.Addr][]Rival{},
		unread:    map[*Element][]*Element{},
		bySystem:  map[string]*hmcInventory{},
	}
	// A client is known by what is above it, a rival by what has an address.
	for step, add := range []func(*Element){nil, g.addLinks, g.addRivals, g.addClient} {
		for _, h := range fleet.Hosts {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("links of %d hosts: %w", len(fleet.Hosts), context.Cause(ctx))
			}
			if step == 0 {
				g.addHost(h)
				continue
			}
			for _, e := range g.byHost[h.Name] {
				add(e)
			}
		}
	}
	g.addStraddlers()
	if len(fleet.HMCs) > 0 {
		g.addHMCs()
	}
	return g, nil
}

func (g *Graph) addHost(h *model.Host) {
	if h.MachineID != "" && !slices.Contains(g.platforms[h.MachineID], string(h.Platform)) {
		g.platforms[h.MachineID] = append(g.platforms[h.MachineID], string(h.Platform))
	}
	add := func(kind, name string, is *model.Element) {
		e := g.element(h, kind, name, is)
		for i := range is.Buffers {
			p := *e
			p.Pool = &is.Buffers[i]
			e.Pools = append(e.Pools, &p)
		}
		g.byHost[h.Name], g.byRef[e.Ref()] = append(g.byHost[h.Name], e), e
		if is.Kind == model.Interface && !strings.HasPrefix(name, "lo") {
			g.addressed[h.Name] = true
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(h.Elements), model.Natural) {
		if is := h.Elements[name]; is != nil {
			add(string(is.Kind), name, is)
		}
	}
	options := "no"
	if h.Platform == model.Linux {
		options = "sysctl"
	}
	add(KindHost, "host", &model.Element{Name: "host"})
	add(KindTunables, options, &model.Element{Name: options, Attrs: h.Tunables})
}

func (g *Graph) element(h *model.Host, kind, name string, is *model.Element) *Element {
	return &Element{Kind: kind, Name: name, Host: h.Name, Platform: string(h.Platform), Machine: h.MachineID, Driver: is.Driver,
		Of: h, Is: is, graph: g}
}

// addLinks puts an element on top of those it uses, and beside those with the same subnet or address.
func (g *Graph) addLinks(e *Element) {
	onto := func(name string) {
		if name != "" {
			if x := g.At(model.Ref{Host: e.Host, Element: name}); x != nil && !endsIn(x.Above, e) {
				x.Above = append(x.Above, e)
			}
		}
	}
	onto(e.Is.On)
	onto(e.Is.Real)
	for _, list := range [][]string{e.Is.Trunks, e.Is.Members} {
		for _, name := range list {
			onto(name)
		}
	}
	for _, p := range e.Subnets() {
		g.subnets[p] = append(g.subnets[p], e)
	}
	g.addMAC(e)
	g.addAddresses(e)
}

// addClient joins a client's virtual adapter to the trunk adapters that carry
// it, and to their SEAs.
func (g *Graph) addClient(e *Element) {
	if !e.client() {
		return
	}
	trunks, err := e.BridgedBy()
	for _, t := range trunks {
		g.clients[t] = append(g.clients[t], e)
	}
	for _, sea := range seasOf(trunks) {
		g.clients[sea] = append(g.clients[sea], e)
	}
	if err != nil && e.Of.Platform != model.VIOS && len(g.unmatched[e.Machine]) < maxUnmatched {
		g.unmatched[e.Machine] = append(g.unmatched[e.Machine], e)
	}
}
