package graph

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/inventory/model"
)

// Graph is a fleet with its elements linked.
type Graph struct {
	fleet     *model.Fleet
	hosts     map[string]*model.Host // of several with one name the first
	byHost    map[string][]*Element  // in natural order, then the host itself and its tunables
	byRef     map[model.Ref]*Element
	addressed map[string]bool // hosts with an interface that was read
	bridging  bridging
	known     []*Element            // adapters of partitions that only an HMC knows
	unmatched map[string][]*Element // machine → client adapters that lack what a join needs
	platforms map[string][]string   // machine → platforms seen on it
	bySystem  map[string]*hmcInventory

	// Who shares an address.
	subnets   map[netip.Prefix][]*Element
	macs      map[string][]*Element // MAC address → adapters that have it
	addresses map[netip.Addr][]*Element
	networks  map[netip.Prefix][]*Element
	places    map[hostNetwork][]*Element
	rivals    map[netip.Addr][]Rival
}

// endsIn says whether the last of a list, which grows by one element after the
// other, is e.
func endsIn(list []*Element, e *Element) bool { return len(list) > 0 && list[len(list)-1] == e }

// Host finds a host; nil if it is not in the fleet.
func (g *Graph) Host(name string) *model.Host { return g.hosts[name] }

// At finds an element; nil if it was not read.
func (g *Graph) At(r model.Ref) *Element { return g.byRef[r] }

// Of gives the elements of a host in natural order, then the host itself and
// its tunables.
func (g *Graph) Of(host string) []*Element { return g.byHost[host] }

// InSubnet gives the interfaces of a network.
func (g *Graph) InSubnet(p netip.Prefix) []*Element { return g.subnets[p] }

// Subnets gives the networks in which an interface counts.
func Subnets(e *Element) []netip.Prefix {
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

// graphBuilder fills a Graph in; what it has made is then only read.
type graphBuilder struct{ *Graph }

// New links the elements of a fleet; the error is the context's.
func New(ctx context.Context, fleet *model.Fleet) (*Graph, error) {
	g := &Graph{
		fleet:     fleet,
		hosts:     make(map[string]*model.Host, len(fleet.Hosts)),
		byHost:    make(map[string][]*Element, len(fleet.Hosts)),
		byRef:     map[model.Ref]*Element{},
		addressed: map[string]bool{},
		bridging:  bridging{trunks: map[string]map[int][]Edge{}, seas: map[string][]*Element{}, counted: map[string][]Edge{}},
		unmatched: map[string][]*Element{},
		platforms: map[string][]string{},
		bySystem:  map[string]*hmcInventory{},
		subnets:   map[netip.Prefix][]*Element{},
		macs:      map[string][]*Element{},
		addresses: map[netip.Addr][]*Element{},
		networks:  map[netip.Prefix][]*Element{},
		places:    map[hostNetwork][]*Element{},
		rivals:    map[netip.Addr][]Rival{},
	}
	g.bridging.sharing = sync.OnceValue(g.inVLANs)
	b := graphBuilder{g}
	for _, h := range fleet.Hosts {
		if g.hosts[h.Name] == nil {
			g.hosts[h.Name] = h
			b.addHost(h)
		}
	}
	// Each needs what those before it noted, of all hosts: a client is known by what is
	// above it, a rival by what has an address.
	for _, add := range []func(*Element){b.link, b.linkOwned, findUsed, b.addAddressed, b.addSEA, b.addRivals, b.addClient,
		addPools} {
		for _, h := range fleet.Hosts {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("links of %d hosts: %w", len(fleet.Hosts), context.Cause(ctx))
			}
			if g.hosts[h.Name] != h {
				continue
			}
			for _, e := range g.byHost[h.Name] {
				add(e)
			}
		}
	}
	b.addStraddlers()
	if len(fleet.HMCs) > 0 {
		b.addHMCs()
	}
	return g, nil
}

// Of links the elements of a fleet that is small: of one path, of one page.
func Of(fleet *model.Fleet) *Graph {
	g, _ := New(context.Background(), fleet) // which does not end
	return g
}

func (g graphBuilder) addHost(h *model.Host) {
	if h.MachineID != "" && !slices.Contains(g.platforms[h.MachineID], string(h.Platform)) {
		g.platforms[h.MachineID] = append(g.platforms[h.MachineID], string(h.Platform))
	}
	add := func(kind, name string, is *model.Element) {
		e := g.element(h, kind, name, is)
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

func (g graphBuilder) element(h *model.Host, kind, name string, is *model.Element) *Element {
	return &Element{Kind: kind, Name: name, Host: h.Name, Platform: string(h.Platform), Machine: h.MachineID, Driver: is.Driver,
		Of: h, Is: is, graph: g.Graph}
}

// addPools makes the element each of its receive pools as well.
func addPools(e *Element) {
	for i := range e.Is.Buffers {
		p := *e
		p.Pool, p.Pools = &e.Is.Buffers[i], nil
		e.Pools = append(e.Pools, &p)
	}
}

// addAddressed puts an element beside those with the same subnet or address.
func (g graphBuilder) addAddressed(e *Element) {
	for _, p := range Subnets(e) {
		g.subnets[p] = append(g.subnets[p], e)
	}
	g.addMAC(e)
	g.addAddresses(e)
}

// addClient joins a client's virtual adapter to the trunk adapters that carry it.
func (g graphBuilder) addClient(e *Element) {
	if !isClient(e) {
		return
	}
	bridges, gap := e.Bridges()
	for _, x := range bridges {
		addUp(x.To, x)
	}
	if gap != nil && e.Of.Platform != model.VIOS && len(g.unmatched[e.Machine]) < maxUnmatched {
		g.unmatched[e.Machine] = append(g.unmatched[e.Machine], e)
	}
}
