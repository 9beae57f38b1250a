package report

import (
	"cmp"
	"fmt"
	"strings"

	"seaworthy/internal/audit"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report/doc"
)

// Rule says what a rule looks for, why, and what it cites.
func Rule(d *Document, c *knowledge.Catalog, r knowledge.Rule) {
	d.Line("%s  %s", doc.Styled(doc.Head, r.ID), r.Title)
	d.Prose("severity", fmt.Sprintf("%s, confidence %s", finding.Severity(r.Severity).Word(), r.Confidence))
	d.Prose("outage", classed(r.Class))
	d.Prose("why", r.Why)
	d.Prose("effect", r.Effect)
	for _, check := range r.Checks {
		d.Prose("checks", strings.Join(check.Kind, ", "))
		d.Prose("where", check.When)
		d.Prose("finds", check.Condition)
		for _, x := range check.Remedy {
			d.Prose("remedy", fmt.Sprintf("%s=%s on %s", x.Attr, strings.TrimPrefix(x.Value, "="), cmp.Or(x.Of, "the element")))
		}
		for _, x := range check.Advice {
			d.Prose("advice", x.Text)
		}
	}
	d.Prose("caution", r.Cautions...)
	d.Prose("correction", r.Corrections...)
	for _, x := range r.Sources {
		d.Prose("source", sourced(c, x, " "))
	}
}

// Rules lists rules, one a row.
func Rules(d *Document, rules []knowledge.Rule) {
	t := doc.NewWrapped("rules", doc.Left("rule"), doc.Left("severity"), doc.Left("outage"), doc.Left("confidence"), doc.Left("title"))
	for _, r := range rules {
		t.Add(r.ID, r.Severity, r.Class, r.Confidence, r.Title)
	}
	d.Table(t)
}

// sourced returns what is cited, with the title and the place of its source.
func sourced(c *knowledge.Catalog, cited, join string) string {
	key, _, _ := strings.Cut(cited, ":")
	if src, ok := c.Source(key); ok {
		return strings.TrimSuffix(cited+": "+src.Title+join+src.Where, ", ")
	}
	return cited
}

// Attribute says all that is known of an attribute in each of its layers.
func Attribute(d *Document, layers []knowledge.Attribute) {
	for i, a := range layers {
		if i > 0 {
			d.Gap()
		}
		d.Line("%s  %s  %s", doc.Styled(doc.Head, a.Name), a.Layer, a.Label)
		d.Prose("default", Defaults(&a))
		for _, x := range a.Implied {
			d.Prose("if empty", strings.TrimSpace(x.Value+" "+x.When))
		}
		d.Prose("allowed", a.Allowed)
		d.Prose("unit", a.Unit)
		d.Prose("read", a.Read...)
		d.Prose("set", a.Set...)
		d.Prose("effective", a.Effective)
		d.Prose("outage", classed(a.Class))
		d.Prose("needs", a.Needs...)
		d.Prose("linux", a.Linux)
		d.Prose("advice", a.Recommended...)
		if tuning := a.Tuning; tuning != nil {
			latency := ""
			if len(tuning.Latency) > 0 {
				latency = fmt.Sprintf("; for latency and transactions %s too", strings.Join(tuning.Latency, ", "))
			}
			d.Prose("tune tries", strings.Join(tuning.Levels, ", ")+latency)
		}
		d.Prose("sources", strings.Join(a.Sources, ", "))
		d.Prose("confidence", a.Confidence)
	}
}

// Attributes lists what can be set, one attribute a row.
func Attributes(d *Document, all []knowledge.Attribute) {
	t := doc.NewWrapped("attributes", doc.Left("layer"), doc.Left("attribute"), doc.Left("outage"), doc.Left("confidence"),
		doc.Left("default"))
	for _, a := range all {
		t.Add(a.Layer, a.Name, a.Class, a.Confidence, Defaults(&a))
	}
	d.Table(t)
}

func classed(c knowledge.Class) string {
	if c == "" {
		return ""
	}
	return fmt.Sprintf("%s (%s)", c.Outage(), c)
}

// Defaults puts an attribute's defaults on one line.
func Defaults(a *knowledge.Attribute) string {
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

// AttributeOnHosts says what hosts say of an attribute. Where the catalogue has
// something else it says so: the host's answer counts.
func AttributeOnHosts(d *Document, list []audit.OnHost) {
	t := doc.NewWrapped("hosts", doc.Left("at"), doc.Left("running"), doc.Left("next boot"), doc.Left("default"), doc.Left("allowed"),
		doc.Left("differs from the catalogue"))
	for _, x := range list {
		t.Add(x.Ref, or(x.Running, "unset"), or(x.NextBoot, "unset"), or(x.Default, "unset"), Dash(strings.Join(x.Allowed, ", ")),
			Dash(strings.Join(x.Differs, "; ")))
	}
	addOr(d, t, "None of these hosts has it.")
}

// Facts lists the facts that rules can ask for.
func Facts(d *Document, all []knowledge.Fact) {
	t := doc.NewWrapped("facts", doc.Left("fact"), doc.Left("of"), doc.Left("unit"), doc.Left("meaning"), doc.Left("also read from"))
	for _, f := range all {
		t.Add(f.Name, f.Of, f.Unit, f.Meaning, f.From)
	}
	d.Table(t)
}
