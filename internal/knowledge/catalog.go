package knowledge

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Catalog is everything known, checked and indexed. It is not to be changed.
type Catalog struct {
	attributes  map[string][]Attribute // by layer, in name order
	rules       []Rule                 // in id order
	sources     map[string]Source
	fleets      map[string]map[string]any // what cases start from
	expressions expressions
	causes      []Cause

	measurements []Measurement
	innocence    Innocence
	unexplained  []Unexplained
	portCounters []PortCounter
	messages     []Message
	ranking      Ranking
	display      Display
	costs        map[string]*Costs // by profile
}

// Attribute gives one attribute of a layer, or false. It is shared: not to be
// changed. Linux settings are also found under the kind of the element they
// belong to, and under "sysctl" and "ethtool".
func (c *Catalog) Attribute(layer, name string) (*Attribute, bool) {
	for _, l := range []string{layer, "linux"} {
		if a := c.find(l, name); a != nil {
			return a, true
		}
		if layer == "no" || layer == "sea" {
			break
		}
	}
	return nil, false
}

func (c *Catalog) find(layer, name string) *Attribute {
	list := c.attributes[layer]
	i, ok := slices.BinarySearchFunc(list, name, func(a Attribute, n string) int { return cmp.Compare(a.Name, n) })
	if !ok {
		return nil
	}
	return &list[i]
}

// reported are attributes that nobody sets: entstat prints the first of the members
// of an aggregation, Linux the others of a bond and a port.
var reported = []string{"partner_system", "partner_key", "synchronization", "lacp_expired", "lacp_defaulted",
	"active_slave", "ad_partner_mac", "ad_num_ports", "duplex",
	"combined-channels", "rx-channels", "irqs", "irqs-cpu", "irqs-off-node", "rss-queues", "tunnel-overhead",
	"shaped-by", "shaped-kbit", "route-limits", "route-window", "route-mss", "route-mtu", "link-route-mtu",
	"gso_max_size", "gso_max_segs", "tso_max_size", "tso_max_segs"}

// Knows says whether any element has an attribute of that name.
func (c *Catalog) Knows(name string) bool {
	return slices.Contains(reported, name) || slices.ContainsFunc(c.Layers(), func(l string) bool { return c.find(l, name) != nil })
}

// Attributes gives all attributes of a layer in name order; of every layer, one
// layer after the other, if it is empty. The slice is the caller's, what it
// points to is not.
func (c *Catalog) Attributes(layer string) []Attribute {
	if layer != "" {
		return slices.Clone(c.attributes[layer])
	}
	var all []Attribute
	for _, l := range c.Layers() {
		all = append(all, c.attributes[l]...)
	}
	return all
}

// Layers gives the layers that have attributes, sorted.
func (c *Catalog) Layers() []string { return slices.Sorted(maps.Keys(c.attributes)) }

// Rules gives all rules in id order.
func (c *Catalog) Rules() []Rule { return slices.Clone(c.rules) }

// Rule gives one rule, or false.
func (c *Catalog) Rule(id string) (Rule, bool) {
	i, ok := slices.BinarySearchFunc(c.rules, id, func(r Rule, id string) int { return cmp.Compare(r.ID, id) })
	if !ok {
		return Rule{}, false
	}
	return c.rules[i], true
}

// Reason says in words why findings, given by their ids, ask for a change: the
// titles of their rules, each once with its id. A rule that is not built in is
// named by its finding's id.
func (c *Catalog) Reason(findings []string) string {
	var out []string
	for _, id := range findings {
		text := id
		rule, _, _ := strings.Cut(id, "/")
		if r, ok := c.Rule(rule); ok {
			text = r.Title + " (" + rule + ")"
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, "; ")
}

// Fleet gives the compact inventory that cases start from, or false.
func (c *Catalog) Fleet(name string) (map[string]any, bool) {
	f, ok := c.fleets[name]
	return f, ok
}

// Source resolves a citation such as "IBM-LSO" or "S000:L58".
func (c *Catalog) Source(cited string) (Source, bool) {
	key, _, _ := strings.Cut(cited, ":")
	s, ok := c.sources[key]
	return s, ok
}

var apar = regexp.MustCompile(`\bI[A-Z][0-9]{5}\b`)

// Messages lists the messages of kernels that are facts.
func (c *Catalog) Messages() []Message { return slices.Clone(c.messages) }

// Fixes gives the APARs that rules and known defects ask for, sorted.
func (c *Catalog) Fixes() []string {
	var all []string
	defects, err := Defects()
	if err != nil { // its own tests hold that they load
		defects = nil
	}
	for _, d := range defects {
		if len(d.Checks) > 0 {
			all = append(append(all, d.APARs()...), d.Affected.BroughtBy...)
		}
	}
	for _, r := range c.rules {
		for _, k := range r.Checks {
			all = append(all, apar.FindAllString(k.Condition, -1)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
