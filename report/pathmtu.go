package report

import (
	"fmt"
	"strings"

	"seaworthy/change/pathmtu"
)

// PathMTU prints what passes in each direction, and what stops the rest.
func PathMTU(p *Printer, ways []pathmtu.Way) {
	t := Table{Head: []string{"from", "to", " sends", " passes", "verdict"}, Wrap: true}
	for _, w := range ways {
		passes := "-"
		if w.Largest > 0 {
			passes = Count(w.Largest)
		}
		t.Add(Safe(w.From.String()), Safe(w.To.String()), Count(w.Wanted), passes, string(w.Verdict))
	}
	t.Print(p)
	asked := map[string]bool{}
	for _, w := range ways {
		if len(w.Suspect) == 0 {
			if n := len(w.Probes); n > 0 && w.Probes[n-1].Said != "" {
				p.Prose("answer", Safe(w.Probes[n-1].Said))
			}
			continue
		}
		label := fmt.Sprintf("%s → %s", w.From.Host, w.To.Host)
		for i, s := range w.Suspect {
			text := s.Is + ": " + s.Why
			if i > 0 {
				text = "or " + text
			}
			p.Line("%s: %s", Safe(label), Safe(text))
		}
		for _, x := range w.Witnesses {
			// The way back has mostly the same witnesses.
			line := fmt.Sprintf("%d bytes to %s: %s", x.Size, &x, x.Shows)
			if !asked[line] {
				asked[line] = true
				p.Prose("tested", Safe(line))
			}
		}
	}
	for i := range ways {
		hops(p, &ways[i])
	}
}

// hops prints how sure each element of a way is, those alike in one line.
func hops(p *Printer, w *pathmtu.Way) {
	p.Line("")
	p.Line("%s → %s, packets of %d bytes:", Safe(w.From.String()), Safe(w.To.String()), w.Wanted)
	for i := 0; i < len(w.Hops); {
		first, names := w.Hops[i], []string{}
		for ; i < len(w.Hops) && w.Hops[i].State == first.State && w.Hops[i].By == first.By; i++ {
			names = append(names, w.Hops[i].String())
		}
		p.Prose(string(first.State), Safe(strings.Join(names, ", ")+" ("+first.By+")"))
	}
}
