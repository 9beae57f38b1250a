package report

import (
	"fmt"
	"strings"

	"seaworthy/inventory"
	"seaworthy/report/drawing"
)

// Map prints a row a VLAN of a hypervisor switch: who is in it, and who bridges
// it. Two active SEAs are a split brain; none leaves it cut off.
func Map(p *Printer, segments []drawing.Segment) {
	t := Table{Head: []string{"system", "switch", " VLAN", " LPARs", "active SEA", "standby"}, Wrap: true}
	for _, s := range segments {
		active := named(s.Active)
		switch {
		case len(s.Active) > 1:
			active = p.Style("bad", active+" (split brain)")
		case len(s.Unknown) > 0:
			active = "not known: " + named(s.Unknown)
		}
		t.Add(Safe(Dash(s.System)), Safe(Dash(s.VSwitch)), fmt.Sprint(s.VLAN), fmt.Sprint(len(s.Clients)), active, named(s.Standby))
	}
	if len(t.Rows) == 0 {
		p.Line("No virtual Ethernet was read.")
		return
	}
	t.Print(p)
}

func named(refs []inventory.Ref) string {
	var names []string
	for _, r := range refs {
		names = append(names, Safe(r.String()))
	}
	return Dash(strings.Join(names, ", "))
}
