package report

import (
	"slices"

	"seaworthy/internal/measure"
)

// mostColumns is how many hosts a matrix of pairs may have; of more, pairs are listed.
const mostColumns = 8

// Mesh prints what each pair carried, from rows to columns, and all pairs together.
func Mesh(p *Printer, r *measure.Result) {
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
				pairList(p, w.Name, mine)
			default:
				pairMatrix(p, w.Name, mine, from, to)
			}
		}
	}
	p.Line("")
	Trials(p, r)
	if slices.ContainsFunc(r.Figures, func(f measure.Figure) bool { return f.Figure == measure.Fairness }) {
		p.Prose("fairness", "Jain's index of what the pairs carried at once: 1 if all carried the same, 1/n if one of n carried everything")
	}
}

// pairMatrix has senders as rows and receivers as columns, medians as cells.
func pairMatrix(p *Printer, workload string, pairs []measure.PairFigure, from, to []string) {
	s := shownAs(pairs[0].Figure)
	head := []string{Safe(workload) + ", " + s.heading()}
	for _, name := range to {
		head = append(head, " to "+Safe(name))
	}
	t := Table{Head: head}
	for _, a := range from {
		row := []string{"from " + Safe(a)}
		for _, b := range to {
			i := slices.IndexFunc(pairs, func(x measure.PairFigure) bool { return x.From == a && x.To == b })
			if i < 0 {
				row = append(row, "-")
				continue
			}
			row = append(row, s.number(pairs[i].Median))
		}
		t.Add(row...)
	}
	t.Print(p)
}

// pairList has a row a pair.
func pairList(p *Printer, workload string, pairs []measure.PairFigure) {
	t := Table{Head: []string{Safe(workload), "", " median", " 95 % interval", "unit", " n"}}
	for _, x := range pairs {
		s := shownAs(x.Figure)
		f := &measure.Figure{Summary: x.Summary}
		t.Add(Safe(x.From), "to "+Safe(x.To), s.median(f), s.interval(f), s.heading(), Count(x.N))
	}
	t.Print(p)
}

// heading is the unit, with what is measured in it where that is not plain.
func (s *shownFigure) heading() string {
	if s.name == measure.LatencyP99 {
		return s.brief
	}
	return s.unit
}
