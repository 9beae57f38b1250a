package graph

import (
	"cmp"
	"net/netip"

	"seaworthy/inventory"
)

// Graph is a fleet with its elements linked.
type Graph struct {
	fleet      *inventory.Fleet
	byHost     map[string][]*Element // in natural order, then the host itself and its tunables
	byRef      map[inventory.Ref]*Element
	addressed  map[string]bool // hosts with an interface that was read
	bridging   *inventory.Bridging
	subnets    map[netip.Prefix][]*Element
	clients    map[*Element][]*Element // SEA or trunk adapter → client adapters
	unmatched  map[string][]*Element   // machine → client adapters that lack what a join needs
	platforms  map[string][]string     // machine → platforms seen on it
	macs       map[string][]*Element   // MAC address → adapters that have it
	addresses  map[netip.Addr][]*Element
	networks   map[netip.Prefix][]*Element
	straddlers map[narrower][]*Element
	beside     map[local][]*Element
	rivals     map[netip.Addr][]Rival
	unread     map[*Element][]*Element // SEA → client adapters that only an HMC knows
	bySystem   map[string]*hmcInventory
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
func (g *Graph) add(trunks []*Element, bridges []inventory.Bridge) []*Element {
	has := make(map[*Element]bool, len(trunks)+len(bridges))
	for _, t := range trunks {
		has[t] = true
	}
	for _, b := range bridges {
		if t := g.At(inventory.Ref{Host: b.SEA.Host, Element: b.Trunk}); t != nil && !has[t] {
			has[t], trunks = true, append(trunks, t)
		}
	}
	return trunks
}

// endsIn says whether the last of a list, which grows by one element after the
// other, is e.
func endsIn(list []*Element, e *Element) bool { return len(list) > 0 && list[len(list)-1] == e }

// At finds an element; nil if it was not read.
func (g *Graph) At(r inventory.Ref) *Element { return g.byRef[r] }

// Of gives the elements of a host in natural order, then the host itself and
// its tunables.
func (g *Graph) Of(host string) []*Element { return g.byHost[host] }

// InSubnet gives the interfaces of a network.
func (g *Graph) InSubnet(p netip.Prefix) []*Element { return g.subnets[p] }

// Subnets gives the networks in which an interface counts.
func (e *Element) Subnets() []netip.Prefix {
	if e.Is.Kind != inventory.Interface {
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
	return cmp.Or(cmp.Compare(a.Host, b.Host), inventory.Natural(a.Name, b.Name))
}
