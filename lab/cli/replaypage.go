package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/ui/chart"
	"seaworthy/internal/ui/report"
	"seaworthy/lab/replay"
)

// replayPage is a replay with a page of its own.
type replayPage struct{ *replay.Result }

// PageTitle heads the page of -f html.
func (r replayPage) PageTitle() string {
	return fmt.Sprintf("%s replayed, %s", report.Plural(len(r.Experiments), "published experiment"), r.Started.UTC().Format("2006-01-02"))
}

// PageSummary counts the claims by their answers.
func (r replayPage) PageSummary() []string {
	var out []string
	for i := range r.Experiments {
		e := &r.Experiments[i]
		count := map[string]int{}
		for _, v := range e.Claims {
			count[v.Answer]++
		}
		var parts []string
		for _, a := range []string{replay.Holds, replay.Fails, replay.NotShown, replay.NotInLab} {
			if n := count[a]; n > 0 {
				if n > 1 {
					a = strings.NewReplacer("holds", "hold", "does", "do").Replace(a)
				}
				parts = append(parts, fmt.Sprintf("%d %s", n, a))
			}
		}
		if len(parts) == 0 {
			parts = []string{e.State}
		}
		out = append(out, fmt.Sprintf("%s, %s: of %s %s.", e.ID, e.Title, report.Plural(len(e.Claims), "claim"), strings.Join(parts, ", ")))
	}
	return out
}

// charts puts an experiment's ratios and figures on a page, the source's beside
// those measured here.
func charts(p *report.Document, e *replay.Outcome) {
	report.Chart(p, claimed(e))
	var names []string
	for _, c := range e.Cases {
		for _, f := range c.Figures {
			if f.Ours != nil && (f.Published != nil || !units[f.Figure].quiet && len(e.Cases) <= many) && !slices.Contains(names, f.Figure) {
				names = append(names, f.Figure)
			}
		}
	}
	for _, name := range names {
		report.Chart(p, figured(e, name))
	}
}

// claimed are the ratios that claims are about.
func claimed(e *replay.Outcome) *chart.Effects {
	c := &chart.Effects{Name: "Ratios that the source claims, and those measured here"}
	class := map[string]int{replay.Fails: 1, replay.Holds: 2}
	for _, v := range e.Claims {
		if v.To == "" || v.Ours == nil || v.Ours.Value <= 0 {
			continue
		}
		if v.Published != nil && *v.Published > 0 {
			c.Rows = append(c.Rows, chart.Effect{Name: "source: " + v.Text, Ratio: *v.Published})
		}
		c.Rows = append(c.Rows, chart.Effect{Name: "here: " + v.Text, Ratio: v.Ours.Value, Low: v.Ours.Low, High: v.Ours.High,
			Verdict: v.Answer, Class: class[v.Answer]})
	}
	return c
}

// figured has every trial of one figure.
func figured(e *replay.Outcome, name string) *chart.Trials {
	unit := units[name]
	scale := cmp.Or(unit.scale, 1)
	label := cmp.Or(unit.label, strings.ReplaceAll(name, "_", " "))
	c := &chart.Trials{Name: strings.ToUpper(label[:1]) + label[1:] + ", every trial", Unit: label}
	scaled := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		return new(*v * scale)
	}
	for _, one := range e.Cases {
		g := chart.Group{Name: one.Name}
		for _, f := range one.Figures {
			if f.Figure != name {
				continue
			}
			if f.Published != nil {
				g.Rows = append(g.Rows, chart.Row{Name: "source", Median: *f.Published * scale})
			}
			if o := f.Ours; o != nil {
				row := chart.Row{Name: "here", Median: o.Median * scale, Low: scaled(o.Low), High: scaled(o.High)}
				for i, v := range f.Samples {
					row.Samples = append(row.Samples, chart.Sample{Block: i + 1, Value: v * scale})
				}
				g.Rows = append(g.Rows, row)
			}
		}
		if len(g.Rows) > 0 {
			c.Groups = append(c.Groups, g)
		}
	}
	return c
}
