package rule

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"seaworthy/internal/audit/defect"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// UnreadLevel names known defects whose conditions hold on a host while a reading that decides about its level is missing:
// nobody knows whether they bite.
type UnreadLevel struct {
	Host    string   `json:"host"`
	Ask     string   `json:"ask"`     // the command whose output decides
	Defects []string `json:"defects"` // their ids
}

// UnreadLevels gives them by host and command. Defects of which no source says the levels are not among them, and neither are
// those of a host whose platform few outputs show: they may be none of its.
func (set *Set) UnreadLevels(ctx context.Context, fleet *model.Fleet, measured map[string]float64) ([]UnreadLevel, error) {
	asks := map[onHost]string{} // the command that is missing
	var open []knowledge.Rule
	for _, r := range set.rules {
		if r.Known == nil || len(r.Known.Checks) == 0 {
			continue
		}
		waits := false
		for _, h := range fleet.Hosts {
			if guessed(h) {
				continue
			}
			level := defect.LevelOf(r.Known, h)
			if level.State == defect.NotRead && !level.Unpublished && level.Command != "" {
				asks[onHost{r.ID, h.Name}] = level.Command
				waits = true
			}
		}
		if waits {
			open = append(open, r.Known.ConditionRule())
		}
	}
	if len(open) == 0 {
		return nil, nil
	}
	conditions, err := Compile(open)
	if err != nil {
		return nil, err
	}
	found, err := conditions.Run(ctx, fleet, Options{Measured: measured, Passed: new(int)})
	if err != nil {
		return nil, err
	}
	return unreadLevels(found, asks), nil
}

// guessed reports whether the platform of a host is not sure.
func guessed(h *model.Host) bool {
	return slices.ContainsFunc(h.Gaps, func(g model.Gap) bool { return g.What == model.PlatformGap })
}

// onHost is a rule on a host.
type onHost struct{ rule, host string }

// unreadLevels sorts defects whose conditions hold by host and by what decides about them. Fixes that instfix looks for are
// asked for in one command.
func unreadLevels(found []finding.Finding, asks map[onHost]string) []UnreadLevel {
	const fix = "instfix -ik "
	var out []UnreadLevel
	fixes := map[string][]string{} // by host
	for _, f := range found {
		ask := asks[onHost{f.Rule, f.Element.Host}]
		if f.Verdict != finding.Found || ask == "" {
			continue
		}
		if name, ok := strings.CutPrefix(ask, fix); ok {
			ask = fix
			if !slices.Contains(fixes[f.Element.Host], name) {
				fixes[f.Element.Host] = append(fixes[f.Element.Host], name)
			}
		}
		i := slices.IndexFunc(out, func(u UnreadLevel) bool { return u.Host == f.Element.Host && u.Ask == ask })
		if i < 0 {
			i = len(out)
			out = append(out, UnreadLevel{Host: f.Element.Host, Ask: ask})
		}
		if !slices.Contains(out[i].Defects, f.Rule) {
			out[i].Defects = append(out[i].Defects, f.Rule)
		}
	}
	for i := range out {
		if out[i].Ask == fix {
			names := slices.Sorted(slices.Values(fixes[out[i].Host]))
			out[i].Ask = fix + `"` + strings.Join(names, " ") + `"`
		}
		slices.Sort(out[i].Defects)
	}
	slices.SortFunc(out, func(a, b UnreadLevel) int {
		return cmp.Or(model.Natural(a.Host, b.Host), strings.Compare(a.Ask, b.Ask))
	})
	return out
}
