package space

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/knowledge"
)

// Left holds what is not varied, and why.
type Left struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Space is all that is varied.
type Space struct {
	Factors []Factor `json:"factors"`
	Left    []Left   `json:"left_out,omitempty"`
}

// Run is a level for each factor: 0 is the present one.
type Run []int

// Within reports whether another run has all settings of this one, perhaps more.
func (r Run) Within(other Run) bool {
	for f, level := range r {
		if level != 0 && level != other[f] {
			return false
		}
	}
	return true
}

// Common are the settings that both runs have.
func (r Run) Common(other Run) Run {
	out := slices.Clone(r)
	for f, level := range other {
		if out[f] != level {
			out[f] = 0
		}
	}
	return out
}

// Present is the run that changes nothing.
func (s *Space) Present() Run { return make(Run, len(s.Factors)) }

// Desired returns what a run sets, to be planned.
func (s *Space) Desired(r Run) []plan.DesiredSetting {
	var out []plan.DesiredSetting
	for i, level := range r {
		for _, set := range s.Factors[i].Levels[level].Set {
			out = append(out, plan.DesiredSetting{Setting: set})
		}
	}
	return out
}

// Words say what a run changes: "vios1:ent5 largesend=1, window=262144".
func (s *Space) Words(r Run) string {
	var out []string
	for i, level := range r {
		if level > 0 {
			out = append(out, s.Factors[i].Name+"="+s.Factors[i].Levels[level].Label)
		}
	}
	if len(out) == 0 {
		return "as found"
	}
	return strings.Join(out, ", ")
}

// Values are the changed levels by the names of their factors.
func (s *Space) Values(r Run) map[string]string {
	out := map[string]string{}
	for i, level := range r {
		if level > 0 {
			out[s.Factors[i].Name] = s.Factors[i].Levels[level].Label
		}
	}
	return out
}

// Parse is the run with these levels by the names of their factors.
func (s *Space) Parse(values map[string]string) (Run, error) {
	r := s.Present()
	for name, label := range values {
		i := slices.IndexFunc(s.Factors, func(f Factor) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no factor %q", name)
		}
		r[i] = slices.IndexFunc(s.Factors[i].Levels, func(l Level) bool { return l.Label == label })
		if r[i] < 0 {
			return nil, fmt.Errorf("factor %q has no level %q", name, label)
		}
	}
	return r, nil
}

// limited keeps the factors whose class is allowed, and the levels that a plan can
// try: made and undone at once, by commands, on all their hosts.
func (s *Space) limited(most knowledge.Class, try Try) error {
	var kept []Factor
	for _, f := range s.Factors {
		if f.Class > most {
			s.Left = append(s.Left, Left{f.Name, fmt.Sprintf("outage class %s: %s (--max-outage %[1]s)", f.Class, f.Class.Outage())})
			continue
		}
		levels := f.Levels[:1:1]
		for _, l := range f.Levels[1:] {
			why, err := try.refuses(l)
			if err != nil {
				return err
			}
			if why != "" {
				s.Left = append(s.Left, Left{f.Name + "=" + l.Label, why})
				continue
			}
			levels = append(levels, l)
		}
		f.Levels = levels
		if len(levels) > 1 {
			kept = append(kept, f)
		}
	}
	s.Factors = kept
	return nil
}

// Try plans settings, without carrying anything out.
type Try func([]plan.DesiredSetting) (*plan.Plan, error)

// refuses says why a level cannot be tried; "": it can.
func (try Try) refuses(l Level) (string, error) {
	var want []plan.DesiredSetting
	for _, set := range l.Set {
		want = append(want, plan.DesiredSetting{Setting: set})
	}
	p, err := try(want)
	if err != nil {
		return "", err
	}
	return Untriable(p), nil
}

// Untriable says why a plan cannot be put on and taken off again for a trial; "":
// it can.
func Untriable(p *plan.Plan) string {
	if len(p.Refused) > 0 {
		return p.Refused[0].Reason
	}
	for _, step := range p.Steps {
		switch {
		case step.Manual != nil:
			return "it needs work elsewhere: " + step.Manual.What
		case step.Pending:
			return "it comes into force only with a reboot of " + step.Host
		}
	}
	if p.Next != nil {
		return "it takes a reboot"
	}
	return ""
}
