package report

import (
	"cmp"
	"fmt"
	"strings"

	"seaworthy/audit"
	"seaworthy/catalog"
)

// Rule prints a rule with its reasons.
func Rule(p *Printer, c *catalog.Catalog, r catalog.Rule) {
	p.Line("%s  %s", p.Style("head", r.ID), r.Title)
	p.Prose("severity", r.Severity+", confidence "+r.Confidence)
	p.Prose("outage", classed(r.Class))
	p.Prose("why", r.Why)
	p.Prose("effect", r.Effect)
	for _, k := range r.Checks {
		p.Prose("checks", strings.Join(k.Kind, ", "))
		p.Prose("where", k.When)
		p.Prose("finds", k.Condition)
		for _, m := range k.Remedy {
			p.Prose("remedy", m.Attr+"="+strings.TrimPrefix(m.Value, "=")+" on "+cmp.Or(m.Of, "the element"))
		}
		for _, a := range k.Advice {
			p.Prose("advice", a.Text)
		}
	}
	p.Prose("caution", r.Cautions...)
	p.Prose("correction", r.Corrections...)
	for _, s := range r.Sources {
		key, _, _ := strings.Cut(s, ":")
		if src, ok := c.Source(key); ok {
			p.Prose("source", s+": "+src.Title+" "+src.Where)
			continue
		}
		p.Prose("source", s)
	}
}

// Attribute prints all that is known of an attribute in each of its layers.
func Attribute(p *Printer, layers []catalog.Attribute) {
	for i, a := range layers {
		if i > 0 {
			p.Line("")
		}
		attribute(p, a)
	}
}

func attribute(p *Printer, a catalog.Attribute) {
	p.Line("%s  %s  %s", p.Style("head", a.Name), a.Layer, a.Label)
	p.Prose("default", Defaults(&a))
	for _, d := range a.Implied {
		p.Prose("if empty", strings.TrimSpace(d.Value+" "+d.When))
	}
	p.Prose("allowed", a.Allowed)
	p.Prose("unit", a.Unit)
	p.Prose("read", a.Read...)
	p.Prose("set", a.Set...)
	p.Prose("effective", a.Effective)
	p.Prose("outage", classed(a.Class))
	p.Prose("needs", a.Needs...)
	p.Prose("linux", a.Linux)
	p.Prose("advice", a.Recommended...)
	if t := a.Tuning; t != nil {
		text := strings.Join(t.Levels, ", ")
		if len(t.Latency) > 0 {
			text += "; for latency and transactions " + strings.Join(t.Latency, ", ") + " too"
		}
		p.Prose("tune tries", text)
	}
	p.Prose("sources", strings.Join(a.Sources, ", "))
	p.Prose("confidence", a.Confidence)
}

func classed(c catalog.Class) string {
	if c == "" {
		return ""
	}
	return fmt.Sprintf("%s (%s)", c.Outage(), c)
}

// Defaults puts an attribute's defaults on one line.
func Defaults(a *catalog.Attribute) string {
	var out []string
	for _, d := range a.Defaults {
		s := d.Value
		if d.When != "" {
			s += " (" + d.When + ")"
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, ", ")
}

// AttributeOnHosts prints what hosts say of an attribute. Where the catalogue has
// something else it says so: the host's answer counts.
func AttributeOnHosts(p *Printer, list []audit.OnHost) {
	if len(list) == 0 {
		p.Line("None of these hosts has it.")
		return
	}
	value := func(v *string) string { return Safe(or(v, "empty")) }
	t := Table{Head: []string{"at", "running", "next boot", "default", "allowed", "differs from the catalogue"}, Wrap: true}
	for _, x := range list {
		t.Add(Safe(x.Ref.String()), value(x.Running), value(x.NextBoot), value(x.Default),
			Dash(Safe(strings.Join(x.Allowed, ", "))), Dash(Safe(strings.Join(x.Differs, "; "))))
	}
	t.Print(p)
}
