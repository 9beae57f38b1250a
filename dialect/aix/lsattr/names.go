package lsattr

import (
	"fmt"
	"strings"

	"seaworthy/dialect/aix/printout"
)

// readNames reads -O: a line of names, a line of values.
func (r *reader) readNames() {
	for i := 0; i < len(r.lines); i++ {
		if r.skip[i] || !namesLine.MatchString(r.lines[i]) || i+1 >= len(r.lines) || r.skip[i+1] {
			r.other(i)
			continue
		}
		names := strings.Split(strings.TrimPrefix(strings.TrimRight(r.lines[i], " \r"), "#"), ":")
		values := strings.Split(strings.TrimRight(r.lines[i+1], "\r"), ":")
		start := len(r.list.Attributes)
		for k, n := range names {
			a := Attribute{Name: n, Line: i + 2}
			if len(values) == len(names) {
				v := values[k]
				a.Value = &v
			}
			r.list.Attributes = append(r.list.Attributes, a)
		}
		if len(values) != len(names) {
			r.list.Attributes[start].Unsplit = r.lines[i+1]
			r.list.Warn(i+2, fmt.Sprintf("%d names, %d values: a value holds the separator", len(names), len(values)))
		}
		r.list.pairs = append(r.list.pairs, pair{
			from: start, to: len(r.list.Attributes),
			read:  [2]string{r.lines[i], r.lines[i+1]},
			paint: [2]printout.Paint{r.paint[i], r.paint[i+1]},
		})
		r.list.layout.Row()
		r.list.layout.Row()
		i++
	}
}

type pair struct {
	from, to int
	read     [2]string // names and values as they stood
	paint    [2]printout.Paint
}

func (l *Listing) formatNames() []byte {
	pairs := l.pairs
	if len(pairs) == 0 && len(l.Attributes) > 0 {
		pairs = []pair{{from: 0, to: len(l.Attributes)}}
	}
	return l.layout.Print(2*len(pairs), func(i int) string {
		p := pairs[i/2]
		from, to := min(p.from, len(l.Attributes)), min(p.to, len(l.Attributes))
		var names, values []string
		for k := from; k < to; k++ {
			a := &l.Attributes[k]
			names = append(names, a.Name)
			if a.Value != nil {
				values = append(values, *a.Value)
			}
		}
		head := "#" + strings.Join(names, ":")
		line := strings.Join(values, ":")
		if from < to && l.Attributes[from].Unsplit != "" && len(values) == 0 {
			line = l.Attributes[from].Unsplit
		}
		if i%2 == 0 {
			return p.paint[0].On(keepEnd(head, p.read[0]))
		}
		return p.paint[1].On(keepEnd(line, p.read[1]))
	})
}

// keepEnd gives a line the blanks that ended the one it was read from.
func keepEnd(line, read string) string {
	if strings.HasPrefix(read, line) && strings.TrimSpace(read[len(line):]) == "" {
		return read
	}
	return line
}
