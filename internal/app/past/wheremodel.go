package past

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// factTable are facts by element.
type factTable struct {
	attributes []string          // what Showing.Attribute counts
	rows       []history.Showing // sorted by place, once they are all there
	sorted     int               // how many there were when they were sorted
	texts      map[int64]string  // of elements and values
}

func newFactTable(attributes []string) *factTable {
	return &factTable{attributes: attributes, texts: map[int64]string{}}
}

// read reads the facts of some hosts.
func (t *factTable) read(ctx context.Context, shown *history.Shown, hosts map[int64]bool) error {
	for i, attribute := range t.attributes {
		err := shown.Each(ctx, attribute, nil, func(s history.Showing) {
			s.Attribute = i
			if hosts[s.Host] {
				t.add(s)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *factTable) add(s history.Showing) {
	if s.Layer <= history.Default {
		t.rows = append(t.rows, s)
	}
}

// subset are some attributes of a table.
type subset struct {
	attributes []string
	places     []int // in the table
}

func (t *factTable) only(attributes []string) subset {
	out := subset{attributes: attributes}
	for _, a := range attributes {
		out.places = append(out.places, slices.Index(t.attributes, a))
	}
	return out
}

// in is a fact as the table has it.
func (x subset) in(s history.Showing) history.Showing {
	s.Attribute = x.places[s.Attribute]
	return s
}

// sort puts what was added since in its place.
func (t *factTable) sort() {
	if t.sorted == len(t.rows) {
		return
	}
	old, added := t.rows[:t.sorted], t.rows[t.sorted:]
	slices.SortFunc(added, compareShowings)
	if t.sorted > 0 {
		t.rows = make([]history.Showing, 0, len(old)+len(added))
		for len(old) > 0 && len(added) > 0 {
			from := &old
			if compareShowings(added[0], old[0]) < 0 {
				from = &added
			}
			t.rows = append(t.rows, (*from)[0])
			*from = (*from)[1:]
		}
		t.rows = append(append(t.rows, old...), added...)
	}
	t.rows = slices.Compact(t.rows)
	t.sorted = len(t.rows)
}

func compareShowings(a, b history.Showing) int {
	return cmp.Or(comparePlaces(a.Place, b.Place), a.Attribute-b.Attribute, int(a.Layer-b.Layer), cmp.Compare(a.Value, b.Value))
}

// of are the facts of an element.
func (t *factTable) of(p history.Place) []history.Showing {
	from, _ := slices.BinarySearchFunc(t.rows, p, func(s history.Showing, p history.Place) int { return comparePlaces(s.Place, p) })
	to := from
	for to < len(t.rows) && t.rows[to].Place == p {
		to++
	}
	return t.rows[from:to]
}

// ofHost are the facts of a host.
func (t *factTable) ofHost(host int64) []history.Showing {
	byHost := func(s history.Showing, host int64) int { return cmp.Compare(s.Host, host) }
	from, _ := slices.BinarySearchFunc(t.rows, host, byHost)
	to, _ := slices.BinarySearchFunc(t.rows, host+1, byHost)
	return t.rows[from:to]
}

// named are the elements that a fact names, none of another fact.
func (t *factTable) named(s history.Showing) []string {
	switch t.attributes[s.Attribute] {
	case diff.Adapter, diff.RealAdapter:
		return []string{t.texts[s.Value]}
	case diff.Members, diff.TrunkAdapters:
		return strings.Split(t.texts[s.Value], ",")
	}
	return nil
}

// needed are the elements that an expression may look at from a candidate, itself first.
func (k *sieve) needed(c candidate) []history.Place {
	out := []history.Place{c.Place}
	if k.follow == nil {
		return out
	}
	at := func(element int64) {
		p := history.Place{Host: c.Host, Element: element}
		if element != 0 && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	for _, name := range k.near.Asks.Named {
		at(k.follow[name])
	}
	if slices.Contains(k.near.Asks.Relations, "tunables") || slices.Contains(k.near.Asks.Siblings, graph.KindTunables) {
		at(k.numbers[options(k.linux[c.Host])])
	}
	if len(k.near.Asks.Siblings) > 0 {
		for _, s := range k.facts.ofHost(c.Host) {
			if k.facts.attributes[s.Attribute] == diff.ElementExists && slices.Contains(k.near.Asks.Siblings, k.facts.texts[s.Value]) {
				at(s.Element)
			}
		}
	}
	for i := 0; i < len(out); i++ {
		for _, s := range k.facts.of(out[i]) {
			for _, name := range k.facts.named(s) {
				at(k.follow[name])
			}
		}
	}
	return out
}

// signature is the same for candidates on which a part gives the same: their facts, and those of the elements that it looks
// at from them.
func (k *sieve) signature(c candidate, names bool) string {
	var out []byte
	if names {
		out = binary.AppendVarint(out, c.Host)
		out = binary.AppendVarint(out, c.Element)
	}
	if k.linux[c.Host] {
		out = append(out, 'l')
	}
	out = append(append(out, c.kind...), 0)
	needed := k.needed(c)
	for _, p := range needed {
		facts := k.facts.of(p)
		if len(needed) > 1 {
			out = binary.AppendVarint(out, p.Element)
		}
		out = binary.AppendVarint(out, int64(len(facts)))
		for _, s := range facts {
			out = binary.AppendVarint(out, int64(s.Attribute))
			out = binary.AppendVarint(out, int64(s.Layer))
			out = binary.AppendVarint(out, s.Value)
		}
	}
	return string(out)
}

// models are the hosts of candidates, as far as facts were read that an expression looks at from them.
func (k *sieve) models(ctx context.Context, list []candidate) (*graph.Graph, error) {
	f := &model.Fleet{}
	for len(list) > 0 {
		of := list[:hostsOfSome(list, 1)]
		list = list[len(of):]
		host := k.hosts[of[0].Host]
		h := &model.Host{Name: host.Host, Platform: model.AIX, Taken: host.Read, Elements: map[string]*model.Element{},
			Tunables: map[string]*model.Attr{}}
		if k.linux[of[0].Host] {
			h.Platform = model.Linux
		}
		for _, c := range of {
			for _, p := range k.needed(c) {
				kind := ""
				if p == c.Place {
					kind = c.kind
				}
				k.addElement(h, p, kind)
			}
		}
		f.Hosts = append(f.Hosts, h)
	}
	return graph.New(ctx, f)
}

// addElement adds an element to a model; an empty kind is that which facts tell.
func (k *sieve) addElement(h *model.Host, p history.Place, kind string) {
	name := k.facts.texts[p.Element]
	e := &model.Element{Name: name, Kind: model.Kind(kind), Attrs: map[string]*model.Attr{}}
	if p.Element == k.numbers[optionsOfAIX] || p.Element == k.numbers[optionsOfLinux] {
		e.Attrs = h.Tunables
	}
	for _, s := range k.facts.of(p) {
		value := k.facts.texts[s.Value]
		switch what := k.facts.attributes[s.Attribute]; what {
		case diff.ElementExists:
			e.Kind = model.Kind(value)
		case diff.Adapter:
			e.On = value
		case diff.RealAdapter:
			e.Real = value
		case diff.Members:
			e.Members = k.facts.named(s)
		case diff.TrunkAdapters:
			e.Trunks = k.facts.named(s)
		default:
			addAttribute(e.Attrs, what, s.Layer, value)
		}
	}
	_, unlisted := pseudo[name]
	if e.Kind != "" && !unlisted && h.Elements[name] == nil {
		h.Elements[name] = e
	}
}

func addAttribute(attrs map[string]*model.Attr, name string, layer history.Layer, value string) {
	a := attrs[name]
	if a == nil {
		a = &model.Attr{Name: name}
		attrs[name] = a
	}
	switch layer {
	case history.Running:
		a.Running = &value
	case history.NextBoot:
		a.NextBoot = &value
	case history.Default:
		a.Default = &value
	}
}
