package report

import (
	"slices"

	"seaworthy/internal/measure"
	"seaworthy/internal/ui/report/doc"
)

// mostColumns is how many hosts a matrix of pairs may have; of more, pairs are listed.
const mostColumns = 8

// Mesh says what each pair carried, from rows to columns, and all pairs together.
func Mesh(d *Document, r *measure.Result) {
	var from, to []string
	for _, x := range r.Pairs {
		from, to = append(from, x.From), append(to, x.To)
	}
	slices.Sort(from)
	slices.Sort(to)
	from, to = slices.Compact(from), slices.Compact(to)
	for _, w := range r.Options.Workloads {
		for _, figure := range []string{measure.Throughput, measure.Transactions, measure.LatencyP99} {
			mine := slices.DeleteFunc(slices.Clone(r.Pairs), func(x measure.PairFigure) bool { return x.Workload != w.Name || x.Figure != figure })
			switch {
			case len(mine) == 0:
			case len(to) > mostColumns || len(mine) <= max(len(from), len(to)):
				d.Table(pairList(w.Name, mine))
			default:
				d.Table(pairMatrix(w.Name, mine, from, to))
			}
		}
	}
	d.Gap()
	Trials(d, r)
	if slices.ContainsFunc(r.Figures, func(f measure.Figure) bool { return f.Figure == measure.Fairness }) {
		d.Prose("fairness", "Jain's index of what the pairs carried at once: 1 if all carried the same, 1/n if one of n carried everything")
	}
}

// pairMatrix has senders as rows and receivers as columns, medians as cells.
func pairMatrix(workload string, pairs []measure.PairFigure, from, to []string) *doc.Table {
	s := shownAs(pairs[0].Figure)
	t := doc.NewTable("pairs", doc.Left(workload+", "+s.heading()))
	for _, name := range to {
		t.Columns = append(t.Columns, doc.Right("to "+name).In(s.heading()))
	}
	for _, a := range from {
		row := []string{"from " + a}
		for _, b := range to {
			i := slices.IndexFunc(pairs, func(x measure.PairFigure) bool { return x.From == a && x.To == b })
			if i < 0 {
				row = append(row, "-")
				continue
			}
			row = append(row, s.number(pairs[i].Median))
		}
		t.AddTexts(row...)
	}
	return t
}

// pairList has a row a pair.
func pairList(workload string, pairs []measure.PairFigure) *doc.Table {
	t := doc.NewTable("pairs", doc.Left(workload).Keyed("from"), doc.Left("").Keyed("to"), doc.Right("median"),
		doc.Interval("median"), doc.Left("unit"), doc.Right("n"))
	for _, x := range pairs {
		s := shownAs(x.Figure)
		f := &measure.Figure{Summary: x.Summary}
		t.Add(x.From, "to "+x.To, s.median(f), s.bounds(f), s.heading(), x.N)
	}
	return t
}

// heading is the unit, with what is measured in it where that is not plain.
func (s *shownFigure) heading() string {
	if s.name == measure.LatencyP99 {
		return s.brief
	}
	return s.unit
}
