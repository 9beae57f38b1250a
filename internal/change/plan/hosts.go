package plan

import (
	"fmt"
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Of gives the steps of one host with their places in the plan, from 1.
func (p *Plan) Of(host string) (steps []Step, places []int) {
	for i, s := range p.Steps {
		if s.Host == host {
			steps, places = append(steps, s), append(places, i+1)
		}
	}
	return steps, places
}

// Stages groups neighbouring steps that may run at the same time: those of one
// stage, each on a host of its own.
func (p *Plan) Stages() [][]Step {
	var out [][]Step
	for _, s := range p.Steps {
		if n := len(out); n > 0 && s.Stage != 0 && out[n-1][0].Stage == s.Stage &&
			!slices.ContainsFunc(out[n-1], func(o Step) bool { return o.Host == s.Host }) {
			out[n-1] = append(out[n-1], s)
			continue
		}
		out = append(out, []Step{s})
	}
	return out
}

// AllHosts are the hosts of the plan and of what comes after its reboots, and
// those that are only looked at: peers that take over.
func (p *Plan) AllHosts() []string {
	return p.hosts(func(q *Plan) (out []string) {
		for _, s := range q.Steps {
			for _, c := range s.Needs {
				out = append(out, c.Host)
			}
		}
		return out
	})
}

// Senders are all hosts that a plan file sends commands to: those of AllHosts,
// and those whose packets prove something.
func (p *Plan) Senders() []string {
	return p.hosts(func(q *Plan) []string {
		out := p.AllHosts()
		for _, x := range q.probes() {
			out = append(out, x.Host)
		}
		return out
	})
}

// hosts are the plan's and those after its reboots, with more of each, sorted.
func (p *Plan) hosts(more func(*Plan) []string) (all []string) {
	for q := p; q != nil; q = q.Next {
		all = append(append(all, q.Hosts...), more(q)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// probes are the proofs of the plan and of its manual steps.
func (p *Plan) probes() []Proof {
	all := slices.Clone(p.Proofs)
	for _, s := range p.Steps {
		if s.Manual != nil {
			for _, x := range s.Manual.Proofs {
				all = append(all, x.Proof)
			}
		}
	}
	return all
}

// Reboots are the hosts that have to be rebooted before the plan's values
// are in force, in the plan's order: of a pair of VIOSes the backup first.
func (p *Plan) Reboots() []string {
	var out []string
	for _, s := range p.Steps {
		if s.Pending && !slices.Contains(out, s.Host) {
			out = append(out, s.Host)
		}
	}
	return out
}

// ChecksAfterReboot says what must hold on a host that was rebooted before the next one is:
// of a VIOS each SEA carries its clients, or stands by, as when the plan was made.
func (p *Plan) ChecksAfterReboot(host string) []string {
	checks := []string{"go on when it is up again and its links are up"}
	for _, c := range p.Conditions {
		if c.Host == host && c.Fact == HAState {
			checks = append(checks, fmt.Sprintf("and %s is %s again (as root: entstat -d %[1]s shows its State)", c.Element, c.Want))
		}
	}
	return checks
}

// Window is when a step can be made.
type Window string

const (
	ManualWork Window = "manual" // first, by those who own the switch
	AnyTime    Window = "now"    // traffic continues
	Bounce     Window = "bounce" // some seconds without traffic, or a failover
	Reboot     Window = "reboot" // written now, in force after the next reboot of the partition
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
		return Reboot
	case it.iface == "" && (it.class == knowledge.O0 || it.class == knowledge.O1):
		return AnyTime
	}
	return Bounce
}

// parts sums a plan up by windows, in the order in which they hurt.
func parts(steps []Step) []Part {
	var out []Part
	for _, w := range []Window{ManualWork, AnyTime, Bounce, Reboot} {
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
			slices.SortFunc(p.Hosts, model.Natural)
			out = append(out, p)
		}
	}
	return out
}
