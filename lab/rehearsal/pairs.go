package rehearsal

// Which addresses are watched.

import (
	"net/netip"
	"slices"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/lab/watch"
)

// end is an interface with an address.
type end struct {
	at     model.Ref
	prefix netip.Prefix
}

// between is two interfaces of one network, with the hosts that their packets pass.
type between struct {
	a, b end
	// on are the hosts that carry the pair's packets now or stand by to, its ends included. Nil: the path
	// is not known.
	on []string
	// redundant are those hosts among them that another VIOS of their system stands in for.
	redundant map[string]bool
	touched   bool // the plan changes a host of it
}

func (b between) pair() watch.Pair {
	return watch.Pair{A: watch.Place{Node: b.a.at.Host, Address: b.a.prefix.Addr()},
		B: watch.Place{Node: b.b.at.Host, Address: b.b.prefix.Addr()}}
}

// name is the pair as people call it.
func (b between) name() string { return b.a.at.String() + " – " + b.b.at.String() }

// choose gives the pairs to watch, at most watch.MaxPairs, and how many there are in all. Each interface is
// in as many of them as the others; those of hosts that the plan changes come first.
func choose(f *model.Fleet, changed []string) (chosen []between, all int) {
	g := graph.Of(f)
	candidates := candidates(f, changed)
	used := map[model.Ref]int{}
	cost := func(b between) int {
		n := 2 * (used[b.a.at] + used[b.b.at])
		if !b.touched {
			n++
		}
		return n
	}
	all = len(candidates)
	for len(candidates) > 0 && len(chosen) < watch.MaxPairs {
		best := 0
		for i := range candidates {
			if cost(candidates[i]) < cost(candidates[best]) {
				best = i
			}
		}
		b := candidates[best]
		candidates = slices.Delete(candidates, best, best+1)
		used[b.a.at]++
		used[b.b.at]++
		b.locate(g)
		chosen = append(chosen, b)
	}
	slices.SortStableFunc(chosen, func(a, b between) int { return model.Natural(a.name(), b.name()) })
	return chosen, all
}

// candidates are all pairs of interfaces of different hosts that share a network.
func candidates(f *model.Fleet, changed []string) (out []between) {
	ends := map[netip.Prefix][]end{}
	var networks []netip.Prefix
	for _, h := range f.Hosts {
		for _, name := range h.Interfaces() {
			for _, p := range h.Elements[name].Addrs {
				if !p.Addr().Is4() || p.Bits() == 32 || p.Addr().IsLoopback() {
					continue
				}
				network := p.Masked()
				if ends[network] == nil {
					networks = append(networks, network)
				}
				ends[network] = append(ends[network], end{model.Ref{Host: h.Name, Element: name}, p})
			}
		}
	}
	for _, n := range networks {
		for i, a := range ends[n] {
			for _, b := range ends[n][i+1:] {
				if a.at.Host == b.at.Host {
					continue
				}
				touched := slices.Contains(changed, a.at.Host) || slices.Contains(changed, b.at.Host)
				out = append(out, between{a: a, b: b, touched: touched})
			}
		}
	}
	return out
}

// locate finds the hosts that the pair's packets pass, and which of them another stands in for.
func (b *between) locate(g *graph.Graph) {
	p, err := g.Path(b.a.at.String(), b.b.at.String())
	if err != nil {
		return
	}
	b.on = g.OnPath(p).Hosts(graph.OffPath + 1)
	for _, h := range []string{b.a.at.Host, b.b.at.Host} {
		if !slices.Contains(b.on, h) {
			b.on = append(b.on, h)
		}
	}
	vioses := map[string][]string{} // by managed system
	for _, name := range b.on {
		if h := g.Host(name); h != nil && h.Platform == model.VIOS {
			vioses[h.MachineID] = append(vioses[h.MachineID], name)
		}
	}
	b.redundant = map[string]bool{}
	for _, pair := range vioses {
		for _, name := range pair {
			b.redundant[name] = len(pair) > 1
		}
	}
}

// isEnd says whether a host is an end of the pair.
func (b *between) isEnd(host string) bool { return host == b.a.at.Host || host == b.b.at.Host }

// feels says whether a change of a host may be felt by the pair: the host is an end of it, or carries its
// packets or stands by to. A pair whose path is not known may feel any VIOS.
func (b *between) feels(host string, platform model.Platform) bool {
	if b.on == nil {
		return b.isEnd(host) || platform == model.VIOS
	}
	return slices.Contains(b.on, host)
}
