package plan

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// Condition is a fact of a host that a plan relies on, apart from the values that
// it changes. It is looked at again before anything is changed.
type Condition struct {
	Host    string `json:"host"`
	Element string `json:"element"`
	// HAState or CanTakeOver, or the name of an attribute whose running value is
	// meant.
	Fact string `json:"fact"`
	Want string `json:"want"`
	Why  string `json:"why"`
}

// Facts of a Condition other than attributes of an SEA.
const (
	HAState     = "ha_state"      // its state in its pair
	CanTakeOver = "can_take_over" // yes: it is in the pair, is not kept out of it, and no link of it is known to be down
)

func (c Condition) String() string {
	if c.Fact == CanTakeOver {
		return fmt.Sprintf("%s:%s can take over", c.Host, c.Element)
	}
	return fmt.Sprintf("%s:%s %s is %s", c.Host, c.Element, c.Fact, c.Want)
}

// Holds says what is otherwise on a host; nil if the condition is met.
func (c Condition) Holds(h *model.Host) error {
	el := h.Elements[c.Element]
	is := "not known"
	switch {
	case c.Fact == HAState && el != nil && el.HAState != "":
		is = el.HAState
	case c.Fact == CanTakeOver && el != nil:
		if err := takesOver(h, el); err != nil {
			return fmt.Errorf("%s %s cannot take over: %w (%s)", c.Host, c.Element, err, c.Why)
		}
		is = "yes"
	case c.Fact != HAState && c.Fact != CanTakeOver:
		t := task.Task{Element: c.Element}
		if el == nil {
			t.Kind = task.No
		}
		if v := t.ValuesOf(task.Change{Attr: c.Fact}, h); v.Running != nil {
			is = *v.Running
		}
	}
	if is != c.Want {
		return fmt.Errorf("%s %s: %s is %s, not %s (%s)", c.Host, c.Element, c.Fact, is, c.Want, c.Why)
	}
	return nil
}

// conditions are those of a plan's steps: which SEA of a pair carries the
// clients decides the order of the steps.
func (x *index) conditions(steps []Step) []Condition {
	var out []Condition
	seen, touched := map[Condition]bool{}, map[string]bool{}
	for _, s := range steps {
		touched[s.Host] = true
	}
	for _, s := range steps {
		p := x.pairOf(x.graph.Host(s.Host), s.Element)
		if p == nil || s.Window == AnyTime || p.sea.Is.HAState == "" {
			continue
		}
		for _, end := range []*graph.Element{p.sea, p.other} {
			if end == nil || end.Is.HAState == "" || !touched[end.Host] {
				continue
			}
			c := Condition{Host: end.Host, Element: end.Name, Fact: HAState, Want: end.Is.HAState,
				Why: "the order of the steps follows from it"}
			if !seen[c] {
				seen[c], out = true, append(out, c)
			}
		}
	}
	return out
}

// What a user can accept apart from rules: see Simulator.Accept.
const (
	AcceptRedundancy = "redundancy" // an SEA is interrupted though its peer cannot take over
	AcceptPending    = "pending"    // values set with -P before come into force on the way
	AcceptCluster    = "cluster"    // an interface of a cluster node is taken down
	AcceptAddresses  = "addresses"  // addresses and routes that are not in the ODM are lost on the way, and set again
)

// safe refuses what would interrupt clients that nobody stands in for, or
// bring into force what somebody else left for the next reboot.
func (b *planBuilder) safe(it *item) error {
	if window(*it) != Bounce {
		return nil
	}
	if !slices.Contains(b.accept, AcceptRedundancy) {
		if err := b.redundant(it); err != nil {
			return fmt.Errorf("%w; to plan it anyway: --accept %s", err, AcceptRedundancy)
		}
	}
	if it.iface == "" {
		return nil
	}
	if len(it.host.Clusters) > 0 && !slices.Contains(b.accept, AcceptCluster) {
		return fmt.Errorf("cluster software runs on %s (%s): it takes a service address elsewhere when %s goes down; take the node out of "+
			"its control first (PowerHA: stop cluster services with Unmanage), then plan it with --accept %s",
			it.host.Name, strings.Join(it.host.Clusters, ", "), it.iface, AcceptCluster)
	}
	if lost := it.keep.KernelOnly(); len(lost) > 0 && !slices.Contains(b.accept, AcceptAddresses) {
		return fmt.Errorf("it takes %s down and up, and loses %s, which the ODM does not have (a cluster's service address, "+
			"ifconfig alias, route add?); to plan it with commands that set this again: --accept %s", it.iface, strings.Join(lost, ", "),
			AcceptAddresses)
	}
	if slices.Contains(b.accept, AcceptPending) {
		return nil
	}
	names := []string{it.iface}
	if e := it.host.Elements[it.iface]; e != nil && e.On != "" {
		names = append(names, e.On)
	}
	left := slices.DeleteFunc(leftForBoot(it.host, names), func(v pendingValue) bool { return b.targets[v.target] })
	if len(left) > 0 {
		return fmt.Errorf("it takes %s down and up, which brings into force what was left for the next boot (%s) and could not be "+
			"undone; plan that too, or --accept %s", it.iface, someOf(left), AcceptPending)
	}
	return nil
}

// pendingValue is a value of an attribute that waits for a reboot.
type pendingValue struct {
	target
	text string // "ent0 jumbo_frames=yes"
}

// mostPending is how many values that wait for a reboot a message names.
const mostPending = 20

// Identity is the address of an adapter of a host, and its node name. A name can lead to
// another machine than when the plan was made, and that one's values may well be the
// same; its adapters' addresses are not. The node name decides only where no address is
// known: a host may be renamed, and be called otherwise in an inventory.
type Identity struct {
	Host    string `json:"host"`
	Element string `json:"element,omitempty"`
	MAC     string `json:"mac,omitempty"`  // aa:bb:cc:dd:ee:ff
	Node    string `json:"node,omitempty"` // as hostname prints it; empty: not read
	// System is the managed system that it was on; empty: not read. A partition may move.
	System string `json:"system,omitempty"`
}

// identities are one for each host, of its first adapter; none for a host that
// told neither an address, nor its node name, nor its managed system.
func (x *index) identities(hosts []string) []Identity {
	var out []Identity
	for _, name := range hosts {
		h := x.graph.Host(name)
		is := Identity{Host: name, System: h.MachineID}
		if h.Hostname != nil && h.Hostname.Running != nil {
			is.Node = *h.Hostname.Running
		}
		if el := firstMAC(h); el != nil {
			is.Element, is.MAC = el.Name, el.MAC
		}
		if is.MAC != "" || is.Node != "" || is.System != "" {
			out = append(out, is)
		}
	}
	return out
}

// firstMAC is the adapter whose address identifies the host; nil: none shows one.
// Members of an EtherChannel share theirs.
func firstMAC(h *model.Host) *model.Element {
	for _, kind := range []model.Kind{model.Virtual, model.VNIC, model.Physical} {
		for _, name := range h.Names(kind) {
			el := h.Elements[name]
			group := h.Elements[el.MemberOf]
			if el.MAC != "" && (group == nil || group.Kind != model.EtherChannel) {
				return el
			}
		}
	}
	return nil
}

// Differs says why a host is another one than is meant; nil: nothing shows that.
func (i Identity) Differs(name string, h *model.Host) error {
	if i.Host == name && i.MAC == "" {
		return i.differsByName(h)
	}
	el := h.Elements[i.Element]
	if i.Host != name || el != nil && el.MAC == "" {
		return nil
	}
	has := "it has none"
	if el != nil {
		if el.MAC == i.MAC {
			return nil
		}
		has = "its own has " + el.MAC
	}
	var there []string
	for n, e := range h.Elements {
		if e.MAC == i.MAC {
			there = append(there, n)
		}
	}
	if len(there) > 0 {
		slices.Sort(there)
		return fmt.Errorf("%s: the adapter with the address %s is %s now, not %s (make a new plan)", name, i.MAC, there[0], i.Element)
	}
	return fmt.Errorf("%s is another host than the plan was made for, or its adapter was replaced: %s had the address %s, %s (does "+
		"the name lead where it should? Then make a new plan)", name, i.Element, i.MAC, has)
}

// differsByName says why a host is another one, by its node name.
func (i Identity) differsByName(h *model.Host) error {
	if i.Node == "" || h.Hostname == nil || h.Hostname.Running == nil || *h.Hostname.Running == i.Node {
		return nil
	}
	return fmt.Errorf("%s is another host than the plan was made for, or was renamed: its node name is %q, not %q (make a new plan)",
		i.Host, *h.Hostname.Running, i.Node)
}
