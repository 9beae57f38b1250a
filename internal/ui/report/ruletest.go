package report

import (
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report/doc"
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

// Facts lists the facts that rules can ask for.
func Facts(d *Document, all []knowledge.Fact) {
	t := doc.NewWrapped("facts", doc.Left("fact"), doc.Left("of"), doc.Left("unit"), doc.Left("meaning"), doc.Left("also read from"))
	for _, f := range all {
		t.Add(f.Name, f.Of, f.Unit, f.Meaning, f.From)
	}
	d.Table(t)
}

// Commands lists what collect runs.
func Commands(d *Document, all []collect.Listed) {
	t := doc.NewWrapped("commands", doc.Left("login"), doc.Left("command"), doc.Left("of"), doc.Left("").Keyed("note"))
	for _, c := range all {
		t.Add(c.Login, model.Brief(c.Command), c.Of, choose(c.Root, "padmin: oem_setup_env", ""))
	}
	d.Table(t)
}
