package finding

import "seaworthy/inventory"

// OnPath keeps the verdicts that concern a path: on an element of it, or on
// what affects one, or on the options of one of its hosts.
func OnPath(all []Finding, p *inventory.Path) []Finding {
	on, hosts := map[inventory.Ref]bool{}, map[string]bool{}
	for _, h := range p.Hops {
		if h.Ref != nil {
			on[*h.Ref], hosts[h.Ref.Host] = true, true
		}
	}
	var out []Finding
	for _, f := range all {
		keep := on[f.Element]
		switch f.Element.Element {
		case "no", "sysctl", "host":
			keep = hosts[f.Element.Host]
		}
		for _, r := range f.Affects {
			keep = keep || on[r]
		}
		if keep {
			out = append(out, f)
		}
	}
	return out
}
