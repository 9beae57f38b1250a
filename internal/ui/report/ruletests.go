package report

import (
	"seaworthy/internal/audit/rule"
)

// RuleTests says which cases of rules failed.
func RuleTests(d *Document, r rule.Report) {
	for _, f := range r.Failures {
		d.Line("%s", f)
	}
	addTally(d, "built-in rule", r.BuiltIn)
	if r.Site.Rules > 0 {
		addTally(d, "site rule", r.Site)
	}
}

func addTally(d *Document, kind string, t rule.Tally) {
	d.Line("%s, %s, %d failed.", Plural(t.Rules, kind), Plural(t.Cases, "case"), t.Failed)
}
