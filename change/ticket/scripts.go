package ticket

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"seaworthy/change/plan"
	"seaworthy/change/task"
	"seaworthy/inventory"
	"seaworthy/remote/shellword"
)

var (
	//go:embed scripts.sh.tmpl
	scriptsText string
	scripts     = template.Must(template.New("").Funcs(template.FuncMap{
		"quote": shellword.Quote, "comment": task.Comment,
	}).Parse(scriptsText))
)

// Scripts gives a host's scripts by file name. Steps carry the numbers they
// have in the plan; without arguments a script takes all of this host's.
func Scripts(p *plan.Plan, host string) (map[string]string, error) {
	steps, places := p.Of(host)
	var functions, reading strings.Builder
	var all []string
	for i, s := range steps {
		functions.WriteString("\n" + s.Functions(places[i]))
		s.Verify = lasting(p, places[i]-1)
		reading.WriteString("\n" + s.Functions(places[i]))
		all = append(all, fmt.Sprint(places[i]))
	}
	as := "root"
	if len(steps) > 0 && steps[0].Platform == inventory.VIOS {
		as = "root (on a VIOS: log in as padmin, oem_setup_env, then sh)"
	}
	with := map[string]any{
		// What was begun is noted by plan: another one has the same numbers.
		"Plan": p, "Digest": string(p.ID), "Host": host, "As": as, "All": strings.Join(all, " "), "Prelude": task.Prelude,
		"Functions": functions.String(), "Reading": reading.String(),
		"Manual": slices.DeleteFunc(manual(p), func(l leg) bool { return len(places) == 0 || places[len(places)-1] < l.From }),
	}
	out := map[string]string{}
	for _, name := range []string{"implement.sh", "verify.sh", "backout.sh"} {
		var b strings.Builder
		if err := scripts.ExecuteTemplate(&b, name, with); err != nil {
			return nil, err
		}
		out[name] = b.String()
	}
	return out, nil
}

// lasting are a step's checks that still hold when the plan has been carried
// out: not those of values that a later step sets again, as a failback does.
func lasting(p *plan.Plan, i int) []task.Check {
	var out []task.Check
	for _, c := range p.Steps[i].Verify {
		again := slices.ContainsFunc(p.Steps[i+1:], func(s plan.Step) bool {
			return s.Host == p.Steps[i].Host && s.Element == p.Steps[i].Element &&
				slices.ContainsFunc(s.Verify, func(o task.Check) bool { return o.Attr == c.Attr && o.Element == c.Element })
		})
		if !again {
			out = append(out, c)
		}
	}
	return out
}
