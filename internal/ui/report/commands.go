package report

import (
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/report/doc"
)

// Commands lists what collect runs.
func Commands(d *Document, all []collect.Listed) {
	t := doc.NewWrapped("commands", doc.Left("login"), doc.Left("command"), doc.Left("of"), doc.Left("").Keyed("note"))
	for _, c := range all {
		t.Add(c.Login, model.Brief(c.Command), c.Of, choose(c.Root, "padmin: oem_setup_env", ""))
	}
	d.Table(t)
}
