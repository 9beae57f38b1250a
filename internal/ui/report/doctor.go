package report

import (
	"strings"

	"seaworthy/internal/collect"
	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/knowledge"
)

// Doctor prints what holds on hosts and, for what does not, what follows. With
// all it lists what holds too.
func Doctor(p *Printer, list []*doctor.Examination, all bool) {
	p.Lay("doctor", map[string]any{"List": list, "Results": grouped(list, all)})
}

// onHosts is a result that several hosts have.
type onHosts struct {
	doctor.Result
	Hosts []string
}

// grouped joins the hosts that have the same verdict on an assumption: what is
// broken first, then what is not known and, with all, the rest.
func grouped(list []*doctor.Examination, all bool) []onHosts {
	var out []onHosts
	for _, v := range []knowledge.Verdict{knowledge.Broken, knowledge.Unknown, knowledge.Untested, knowledge.Held} {
		if v == knowledge.Untested && !all {
			break
		}
		at := map[string]int{}
		for _, e := range list {
			for _, r := range e.Results {
				i, known := at[r.ID]
				switch {
				case r.Verdict != v:
				case known:
					out[i].Hosts = append(out[i].Hosts, e.Host)
				default:
					at[r.ID] = len(out)
					out = append(out, onHosts{r, []string{e.Host}})
				}
			}
		}
	}
	return out
}

// verdictStyles are what verdicts look like on a terminal.
var verdictStyles = map[knowledge.Verdict]string{
	knowledge.Held: "good", knowledge.Broken: "bad", knowledge.Unknown: "medium", knowledge.Untested: "dim",
}

// Sudoers prints what logins must be allowed as lines of a sudoers file, for a
// user named seaworthy.
func Sudoers(p *Printer, list []collect.Privilege) { p.Lay("sudoers", list) }

// escaped are the characters that mean something in a sudoers file.
var escaped = strings.NewReplacer(`\`, `\\`, ",", `\,`, ":", `\:`, "=", `\=`)
