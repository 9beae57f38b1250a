package notify

import (
	"slices"

	"seaworthy/internal/app/findings"
	"seaworthy/internal/audit/desired"
	"seaworthy/internal/audit/finding"
)

// OfAudit is what an audit of everything found; one of a path, or of some rules, says nothing of the others.
func OfAudit(r *findings.Result) Present {
	p := Present{Source: "audit", Version: r.Version, Time: r.Time}
	unknown := map[string]bool{}
	for _, f := range r.All {
		switch f.Verdict {
		case finding.Found:
			p.Items = append(p.Items, Item{ID: f.ID, Host: f.Element.Host, Element: f.Element.Element, Rule: f.Rule,
				Severity: string(f.Severity), Title: f.Title})
			for _, id := range f.Symptoms { // it is there, and told by its cause
				unknown[id] = true
			}
		case finding.NotAssessed:
			unknown[f.ID] = true
		}
	}
	hosts := judged(r.Hosts, failedHosts(r))
	set := r.Rules
	p.Judged = func(x Item) bool { return hosts[x.Host] && !unknown[x.ID] && set.Has(x.Rule) }
	return p
}

// failedHosts are those that were not read to their end.
func failedHosts(r *findings.Result) (out []string) {
	for _, f := range r.Failed {
		out = append(out, f.Host)
	}
	return out
}

// judged are hosts but for those that were not read to their end.
func judged(hosts, failed []string) map[string]bool {
	out := map[string]bool{}
	for _, h := range hosts {
		out[h] = !slices.Contains(failed, h)
	}
	return out
}

// OfDrift is what is not as a site's file wants.
func OfDrift(d *findings.Drift) Present {
	p := Present{Source: "drift", Version: d.Version, Time: d.Time}
	id := func(v desired.Value) string { return v.Attr + "/" + v.Ref().String() }
	unknown := map[string]bool{}
	for _, v := range d.Unknown {
		unknown[id(v)] = true
	}
	for _, v := range d.Drift {
		p.Items = append(p.Items, Item{ID: id(v), Host: v.Host, Element: v.Element, Attribute: v.Attr, Title: v.Reason, Want: v.Want,
			Running: valueOf(v.Running), NextBoot: valueOf(v.NextBoot)})
	}
	var failed []string
	for _, f := range d.Failed {
		failed = append(failed, f.Host)
	}
	hosts := judged(d.Hosts, failed)
	p.Judged = func(x Item) bool { return hosts[x.Host] && !unknown[x.ID] }
	return p
}

// valueOf is a value; empty: not read.
func valueOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
