package report

import (
	"cmp"
	"slices"

	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report/doc"
)

// Commands lists what collect runs.
func Commands(d *Document, all []collect.Listed) {
	if slices.ContainsFunc(all, func(c collect.Listed) bool { return c.Cost != nil }) {
		commandCosts(d, all)
		return
	}
	t := doc.NewWrapped("commands", doc.Left("login"), doc.Left("command"), doc.Left("of"), doc.Left("").Keyed("note"))
	for _, c := range all {
		t.Add(c.Login, model.Brief(c.Command), c.Of, choose(c.Root, "padmin: oem_setup_env", ""))
	}
	d.Table(t)
}

// commandCosts lists commands with how long they took, the slowest first.
func commandCosts(d *Document, all []collect.Listed) {
	t := doc.NewWrapped("commands", doc.Left("login"), doc.Left("command"), doc.Left("of"), doc.Right("runs"), doc.Right("median ms"),
		doc.Right("most ms"))
	most := func(c collect.Listed) int64 {
		if c.Cost == nil {
			return -1
		}
		return c.Cost.MostMS
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b collect.Listed) int { return cmp.Compare(most(b), most(a)) })
	for _, c := range sorted {
		if c.Cost == nil {
			t.Add(c.Login, model.Brief(c.Command), c.Of, "–", "–", "–")
			continue
		}
		t.Add(c.Login, model.Brief(c.Command), c.Of, c.Cost.Runs, c.Cost.MedianMS, c.Cost.MostMS)
	}
	d.Table(t)
}
