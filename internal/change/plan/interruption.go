// What a plan interrupts, for those who decide on it.

package plan

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/knowledge"
)

// Interruption is traffic that stops while a plan is carried out.
type Interruption struct {
	Part    int      `json:"part"`              // 1: the plan itself; 2: what follows its first reboots
	Hosts   []string `json:"hosts,omitempty"`   // in the order of the plan; none: switch ports
	Element string   `json:"element,omitempty"` // what is interrupted on each of them; empty: the host
	Outage  string   `json:"outage"`            // in words
	Reboot  bool     `json:"reboot,omitempty"`  // the hosts are rebooted, one after the other
}

// String is the interruption in words, without its part.
func (i Interruption) String() string {
	if i.Reboot {
		return "reboot of " + InTurn(i.Hosts)
	}
	if len(i.Hosts) == 0 {
		return fmt.Sprintf("%s (%s)", i.Element, i.Outage)
	}
	return fmt.Sprintf("%s of %s (%s)", i.Element, strings.Join(i.Hosts, ", "), i.Outage)
}

// InTurn names hosts that are rebooted one after the other.
func InTurn(hosts []string) string { return strings.Join(hosts, ", then ") }

// Interruptions are those of a plan and of what follows its reboots, in order. A step that
// only writes the value of the next boot interrupts nothing; the reboot it waits for does.
func (p *Plan) Interruptions() []Interruption {
	var out []Interruption
	for part := 1; p != nil; part++ {
		for _, s := range p.Steps {
			if !s.interrupts() {
				continue
			}
			same := func(i Interruption) bool {
				return i.Part == part && i.Element == s.Element && i.Outage == s.Outage
			}
			at := slices.IndexFunc(out, same)
			if at < 0 {
				out = append(out, Interruption{Part: part, Element: s.Element, Outage: s.Outage})
				at = len(out) - 1
			}
			if s.Host != "" && !slices.Contains(out[at].Hosts, s.Host) {
				out[at].Hosts = append(out[at].Hosts, s.Host)
			}
		}
		if hosts := p.Reboots(); len(hosts) > 0 {
			out = append(out, Interruption{Part: part, Hosts: hosts, Outage: knowledge.O4.Outage(), Reboot: true})
		}
		p = p.Next
	}
	return out
}

// interrupts says whether traffic stops while the step is done.
func (s Step) interrupts() bool {
	return !s.Pending && knowledge.Class(s.Class) > knowledge.O1
}
