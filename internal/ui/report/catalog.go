package report

import (
	"fmt"
	"strings"

	"seaworthy/internal/audit"
	"seaworthy/internal/knowledge"
)

// Rule prints a rule with its reasons.
func Rule(p *Printer, c *knowledge.Catalog, r knowledge.Rule) {
	p.Lay("rule", struct {
		knowledge.Rule
		Catalog *knowledge.Catalog
	}{r, c})
}

// sourced is what is cited, with the title and the place of its source.
func sourced(c *knowledge.Catalog, cited, join string) string {
	key, _, _ := strings.Cut(cited, ":")
	if src, ok := c.Source(key); ok {
		return strings.TrimSuffix(cited+": "+src.Title+join+src.Where, ", ")
	}
	return cited
}

// Attribute prints all that is known of an attribute in each of its layers.
func Attribute(p *Printer, layers []knowledge.Attribute) { p.Lay("attributes", layers) }

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

// AttributeOnHosts prints what hosts say of an attribute. Where the catalogue has
// something else it says so: the host's answer counts.
func AttributeOnHosts(p *Printer, list []audit.OnHost) { p.Lay("on hosts", list) }
