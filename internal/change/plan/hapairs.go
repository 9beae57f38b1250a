package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// pair is an SEA of a VIOS, and the one on the other VIOS of the managed system
// that stands in for it.
type pair struct {
	sea, other *graph.Element // other: nil if none was read
}

// pairOf is that of the SEA which an element of a VIOS is, or is part of; nil: it
// is part of none.
func (x *index) pairOf(h *model.Host, element string) *pair {
	if h == nil || h.Platform != model.VIOS {
		return nil
	}
	e := x.at(h, element)
	if e == nil {
		return nil
	}
	sea := e.SEA()
	if sea == nil {
		return nil
	}
	partners, _ := sea.Partners() // what was not read is not a partner to rely on
	if len(partners) == 0 {
		return &pair{sea: sea}
	}
	return &pair{sea: sea, other: partners[0]}
}

func (p *pair) ref() model.Ref      { return p.sea.Ref() }
func (p *pair) otherRef() model.Ref { return p.other.Ref() }

// leads says that an SEA carries clients; one that shares may have either state.
func leads(sea *model.Element) bool { return strings.HasPrefix(sea.HAState, "PRIMARY") }

// paired says that an SEA and its pair hear each other.
func paired(sea *model.Element) bool {
	return slices.Contains([]string{"PRIMARY", "BACKUP", "PRIMARY_SH", "BACKUP_SH"}, sea.HAState)
}

// rolloutOrder is a VIOS's place in a change that rolls over a pair: the backup first,
// since its clients are elsewhere, then, after a failover, the primary. Of
// ha_mode itself the primary is first, or both could pass packets at once.
func (b *planBuilder) rolloutOrder(it *item) int {
	p := b.pairOf(it.host, it.want.Element)
	switch {
	case p == nil || !leads(p.sea.Is) && !strings.HasPrefix(p.sea.Is.HAState, "BACKUP"):
		return 0
	case (it.want.Attr == haMode) == leads(p.sea.Is):
		return 1
	}
	return 2
}

// haWarnings says how a step on an SEA, or on a part of one, affects its
// pair: what to check or to do first.
func (b *planBuilder) haWarnings(it item) (ns []string) {
	p := b.pairOf(it.host, it.want.Element)
	when := window(it)
	if p == nil || when == AnyTime {
		return nil
	}
	warn := func(format string, args ...any) { ns = append(ns, fmt.Sprintf(format, args...)) }
	switch {
	case p.sea.Is.HAState == "" && p.other == nil:
		meanwhile := "meanwhile"
		if when == Reboot {
			meanwhile = "during the reboot"
		}
		warn("no other SEA is known to take over for %s: its clients have no network %s", p.ref(), meanwhile)
	case p.other == nil:
		warn("%s is %s, but its peer was not read: make sure that it is healthy first", p.ref(), p.sea.Is.HAState)
	case !leads(p.other.Is) && !strings.HasPrefix(p.other.Is.HAState, "BACKUP"):
		warn("the peer %s is %q: restore redundancy first", p.otherRef(), p.other.Is.HAState)
	case leads(p.sea.Is) && it.want.Attr != haMode && when == Reboot:
		warn("before the reboot of %s, not for this step: %s is %s, fail over to %s (chdev -dev %s -attr ha_mode=standby); "+
			"when %s is up again: ha_mode=%s",
			p.sea.Host, p.ref(), p.sea.Is.HAState, p.otherRef(), p.sea.Name, p.sea.Host, cmp.Or(attr(p.sea.Is, haMode), "auto"))
	}
	if attr(p.sea.Is, "adapter_reset") == "yes" && (when == Reboot || it.want.Attr == haMode) {
		warn("%s has adapter_reset=yes: with LACP a failover takes up to 30 s; set it to no before the failover", p.ref())
	}
	return ns
}

// attr is an attribute's running value, or else that of the next boot.
func attr(el *model.Element, name string) string {
	return el.Attrs[name].Current()
}

// alike says which trunk adapters of the same SEA would differ from this one
// afterwards: one VLAN would then drop where another does not.
func (b *planBuilder) alike(it item) []string {
	el := it.host.Elements[it.want.Element]
	if el == nil || el.MemberOf == "" {
		return nil
	}
	sea := it.host.Elements[el.MemberOf]
	if sea == nil || !slices.Contains(sea.Trunks, el.Name) {
		return nil
	}
	var ns []string
	for _, t := range sea.Trunks {
		other := it.host.Elements[t]
		if t == el.Name || other == nil {
			continue
		}
		will := attr(other, it.want.Attr)
		if value, ok := b.planned[target{model.Ref{Host: it.host.Name, Element: t}, it.want.Attr}]; ok {
			will = value
		}
		if will != it.want.Value && will != "" {
			ns = append(ns, fmt.Sprintf("%s, a trunk adapter of %s too, stays at %s=%s: set all alike", t, sea.Name, it.want.Attr, will))
		}
	}
	return ns
}

// waiting are the attributes of a host that a reboot brings into force in addition to
// those of the plan.
func (b *planBuilder) waiting(it item) []string {
	if !it.pend {
		return nil
	}
	all, known := b.left[it.host]
	if !known {
		all = leftForBoot(it.host, slices.Collect(maps.Keys(it.host.Elements)))
		b.left[it.host] = all
	}
	if own := slices.IndexFunc(all, func(v pendingValue) bool { return v.target == targetOf(it.want.Setting) }); own >= 0 {
		all = slices.Concat(all[:own], all[own+1:])
	}
	if len(all) == 0 {
		return nil
	}
	return []string{"the reboot also brings into force what was set with -P before: " + someOf(all)}
}
