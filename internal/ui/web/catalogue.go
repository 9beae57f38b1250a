package web

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/internal/ui/web/store"
)

// body is a page that a report prints whole.
type body struct {
	Text  template.HTML
	Links []anchor
}

type anchor struct{ Text, Link string }

// cataloguePages show what seaworthy knows: rules and attributes.
type cataloguePages struct{ known []knowledge.Rule }

type rules struct {
	List  []knowledge.Rule
	Found map[string]int
	Pager Pager
}

// rules lists the rules with how often each found something.
func (p *cataloguePages) rules(r *request) (*view, error) {
	b := rules{Found: map[string]int{}}
	for _, g := range r.state.Groups {
		b.Found[g.Rule] += g.Size()
	}
	severity := finding.Severity(r.Get("severity")).Rank()
	b.List, b.Pager = chosen(r.query, p.known, 2*perPage, func(x knowledge.Rule) bool {
		return finding.Severity(x.Severity).Rank() <= severity && matches(r.words(), x.ID, x.Title, x.Severity, x.Why)
	})
	return &view{Title: "Rules", Body: b}, nil
}

// rule shows one with its reasons and sources.
func (p *cataloguePages) rule(r *request) (*view, error) {
	i := slices.IndexFunc(p.known, func(x knowledge.Rule) bool { return strings.EqualFold(x.ID, r.Get("id")) })
	if i < 0 {
		return nil, missing("there is no rule %s", r.Get("id"))
	}
	x := p.known[i]
	text, err := printed(func(p *report.Document) { report.Rule(p, knowledge.BuiltIn(), x) })
	b := body{Text: text, Links: []anchor{{"Its findings", link("/findings", "rule", x.ID)}}}
	for _, c := range x.Checks {
		for _, m := range c.Remedy {
			a := anchor{"Attribute " + m.Attr, link("/attribute", "name", m.Attr)}
			if !slices.Contains(b.Links, a) {
				b.Links = append(b.Links, a)
			}
		}
	}
	return &view{Title: x.ID + ": " + x.Title, Body: b}, err
}

type attributes struct {
	Layers []string
	List   []knowledge.Attribute
	Pager  Pager
}

// attributes lists what can be set.
func (p *cataloguePages) attributes(r *request) (*view, error) {
	b := attributes{Layers: knowledge.BuiltIn().Layers()}
	b.List, b.Pager = chosen(r.query, knowledge.BuiltIn().Attributes(r.Get("layer")), perPage, func(x knowledge.Attribute) bool {
		return matches(r.words(), x.Name, x.Layer, x.Label)
	})
	return &view{Title: "Attributes", Body: b}, nil
}

// Default returns what an attribute has if nobody sets it.
func (attributes) Default(a knowledge.Attribute) string { return report.Defaults(&a) }

// attribute shows one in every layer, and which values hosts have.
func (p *cataloguePages) attribute(r *request) (*view, error) {
	var found []knowledge.Attribute
	for _, x := range knowledge.BuiltIn().Attributes("") {
		if strings.EqualFold(x.Name, r.Get("name")) {
			found = append(found, x)
		}
	}
	if len(found) == 0 {
		return nil, missing("there is no attribute %s", r.Get("name"))
	}
	text, err := printed(func(p *report.Document) {
		report.Attribute(p, found)
		values(p, r.state, found[0].Name)
	})
	return &view{Title: found[0].Name, Body: body{Text: text}}, err
}

// mostValues is how many values of an attribute are kept apart.
const mostValues = 30

// values counts what hosts have of an attribute.
func values(p *report.Document, state *store.State, name string) {
	if state.Fleet == nil {
		return
	}
	type seen struct {
		value, first string
		n            int
	}
	at := map[string]*seen{}
	for _, h := range state.Fleet.Hosts {
		for _, e := range h.Elements {
			a := e.Attrs[name]
			if a == nil {
				continue
			}
			text := report.Value(a)
			if at[text] == nil {
				at[text] = &seen{value: text}
			}
			x := at[text]
			if where := h.Name + ":" + e.Name; x.n == 0 || where < x.first {
				x.first = where
			}
			x.n++
		}
	}
	if len(at) == 0 {
		return
	}
	all := slices.SortedFunc(maps.Values(at), func(a, b *seen) int { return cmp.Or(b.n-a.n, strings.Compare(a.value, b.value)) })
	p.Heading("On these hosts")
	t := doc.NewTable("values", doc.Left("value"), doc.Right("elements"), doc.Left("such as"))
	for i, x := range all {
		if i == mostValues {
			t.Note(doc.Cell{Text: fmt.Sprintf("and %d other values", len(all)-i)})
			break
		}
		t.Add(x.value, x.n, x.first)
	}
	p.Table(t)
}
