package replica

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// settings adds each attribute and option whose value is not the one that a node of the lab has by
// itself, with the value of the next boot where that is another.
func (b *builder) settings(catalogue odm.Catalogue) error {
	b.number()
	text, err := b.fit()
	if err != nil {
		return err
	}
	bare, err := topology.Parse("copy.yaml", text)
	if err != nil {
		return fmt.Errorf("the copy is not a topology: %w", err)
	}
	hosts := map[string]*model.Host{}
	for host, node := range b.nodes {
		hosts[node] = b.fleet.Host(host)
	}
	for system, node := range bare.Nodes() {
		store, err := odm.New(system, node, catalogue)
		if err != nil {
			return fmt.Errorf("node %s: %w", node.Name, err)
		}
		b.set(hosts[node.Name], b.file.node(node.Name), store)
	}
	return nil
}

// number gives partitions whose number was not read one that their system has free.
func (b *builder) number() {
	for i := range b.file.Systems {
		used := map[int]bool{}
		for _, n := range b.file.Systems[i].Nodes {
			used[n.Number] = true
		}
		next := 1
		for j := range b.file.Systems[i].Nodes {
			n := &b.file.Systems[i].Nodes[j]
			for ; n.Number == 0; next++ {
				if !used[next] {
					n.Number = next
				}
			}
		}
	}
}

// node finds a node of the file.
func (t *topologyFile) node(name string) *nodeFile {
	for i := range t.Systems {
		for j := range t.Systems[i].Nodes {
			if n := &t.Systems[i].Nodes[j]; n.Name == name {
				return n
			}
		}
	}
	for i := range t.Servers {
		if t.Servers[i].Name == name {
			return &t.Servers[i]
		}
	}
	return nil
}

// compared counts what became of a host's settings.
type compared struct {
	read    int
	unread  []string // of the lab's: not read, so the default
	refused []string // the lab's devices do not take the value
	missing []string // the lab's devices do not have it
}

// ofAggregation are attributes that say what LACP has agreed on, no settings.
var ofAggregation = []string{"lacp_defaulted", "lacp_expired", "partner_key", "partner_port", "partner_system"}

// set compares a host's settings with those of its bare node.
func (b *builder) set(h *model.Host, n *nodeFile, store *odm.Store) {
	var c compared
	for _, d := range store.Devices() {
		_, adapter := n.Adapters[d.Name]
		_, addressed := n.Interfaces[d.Name]
		e := h.Elements[d.Name]
		if e == nil || !adapter && !addressed {
			continue
		}
		have := map[string]bool{}
		for _, a := range d.Attrs {
			have[a.Name] = true
			c.one(d.Name, a, asRunning(e, a.Name), func(running, next string, differs bool) {
				if differs {
					n.Set = put(n.Set, d.Name, a.Name, running)
				}
				if next != running {
					n.NextBoot = put(n.NextBoot, d.Name, a.Name, next)
				}
			})
		}
		for _, name := range slices.Sorted(maps.Keys(e.Attrs)) {
			if !have[name] && !slices.Contains(ofAggregation, name) {
				c.missing = append(c.missing, d.Name+" "+name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(h.Tunables)) {
		a, known := store.Tunable(name)
		if !known {
			c.missing = append(c.missing, "no "+name)
			continue
		}
		c.one("no", &a, h.Tunables[name], func(running, next string, differs bool) {
			if differs {
				if n.Tunables == nil {
					n.Tunables = map[string]string{}
				}
				n.Tunables[name] = running
			}
			if next != running {
				n.NextBoot = put(n.NextBoot, "no", name, next)
			}
		})
	}
	b.add(AsRead, h.Name, "%s; settings: %d", summary(n), c.read)
	b.tell(h.Name, &c)
}

// asRunning is an attribute as it was read. An alias that the ODM has and the interface does not is one of the next boot.
func asRunning(e *model.Element, name string) *model.Attr {
	a := e.Attrs[name]
	if name != "alias4" || a.Current() == "" {
		return a
	}
	address, _, _ := strings.Cut(a.Current(), ",")
	running := func(p netip.Prefix) bool { return p.Addr().String() == address }
	if e.Addrs == nil || slices.ContainsFunc(e.Addrs, running) {
		return a
	}
	next := a.Current()
	if a.NextBoot != nil {
		next = *a.NextBoot
	}
	return &model.Attr{Name: name, Running: new(""), NextBoot: &next}
}

// one compares one setting, and hands over what is to be set.
func (c *compared) one(on string, mine *odm.Attribute, read *model.Attr, set func(running, next string, differs bool)) {
	if read == nil || read.Running == nil && read.NextBoot == nil {
		c.unread = append(c.unread, on+" "+mine.Name)
		return
	}
	running, next := read.Current(), read.Current()
	if read.NextBoot != nil {
		next = *read.NextBoot
	}
	if running != mine.Running && (!mine.Settable || !mine.Allows(running)) || next != running && !mine.Allows(next) {
		c.refused = append(c.refused, fmt.Sprintf("%s %s=%s", on, mine.Name, running))
		return
	}
	c.read++
	set(running, next, running != mine.Running)
}

func put(m map[string]map[string]string, device, attribute, value string) map[string]map[string]string {
	if m == nil {
		m = map[string]map[string]string{}
	}
	if m[device] == nil {
		m[device] = map[string]string{}
	}
	m[device][attribute] = value
	return m
}

// tell says what became of a host's settings.
func (b *builder) tell(host string, c *compared) {
	if len(c.unread) > 0 {
		b.add(Assumed, host, "settings that were not read (%d) have their defaults: %s", len(c.unread), someOf(c.unread))
	}
	if len(c.refused) > 0 {
		b.add(LeftOut, host, "values that the lab's devices do not take: %s", someOf(c.refused))
	}
	if len(c.missing) > 0 {
		b.add(LeftOut, host, "settings that the lab's devices do not have (%d): %s", len(c.missing), someOf(c.missing))
	}
}
