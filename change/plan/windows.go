package plan

import (
	"slices"

	"seaworthy/catalog"
	"seaworthy/inventory"
)

// Window is when a step can be made.
type Window string

const (
	ManualWork Window = "manual" // first, by those who own the switch
	AnyTime    Window = "now"    // traffic continues
	Bounce     Window = "bounce" // some seconds without traffic, or a failover
	Restart    Window = "reboot" // written now, in force after the next restart of the partition
)

// Part is a plan's steps of one window.
type Part struct {
	Window Window   `json:"window"`
	Steps  int      `json:"steps"`
	Hosts  []string `json:"hosts"`
	Worst  string   `json:"worst"`  // highest outage class of them
	Outage string   `json:"outage"` // that class in words
}

func window(it item) Window {
	switch {
	case it.pend:
		return Restart
	case it.iface == "" && (it.class == catalog.O0 || it.class == catalog.O1):
		return AnyTime
	}
	return Bounce
}

// parts sums a plan up by windows, in the order in which they hurt.
func parts(steps []Step) []Part {
	var out []Part
	for _, w := range []Window{ManualWork, AnyTime, Bounce, Restart} {
		p := Part{Window: w}
		for _, s := range steps {
			if s.Window != w {
				continue
			}
			p.Steps++
			if s.Class > p.Worst || p.Outage == "" { // O0 … O6 sort as text
				p.Worst, p.Outage = s.Class, s.Outage
			}
			if s.Host != "" && !slices.Contains(p.Hosts, s.Host) {
				p.Hosts = append(p.Hosts, s.Host)
			}
		}
		if p.Steps > 0 {
			slices.SortFunc(p.Hosts, inventory.Natural)
			out = append(out, p)
		}
	}
	return out
}
