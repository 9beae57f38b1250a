package split

import (
	"context"
	"slices"

	"seaworthy/collect/importer/detect"
)

// parted takes apart a text of one host.
func parted(ctx context.Context, text []byte, lines []string, name string) *Cut {
	whole := &Cut{Form: Whole, Pieces: []Piece{{Text: text, Line: 1}}}
	for _, way := range []func([]string) *Cut{nmon, snap, agent, session, headings, report} {
		if ctx.Err() != nil {
			return whole
		}
		if c := way(lines); c != nil && len(c.Pieces) > 0 && len(c.Pieces) <= maxPieces {
			return c
		}
	}
	looped := slices.ContainsFunc(lines, func(l string) bool { return deviceTitle(body(l)) != "" })
	f, ok := detect.Text(text, detect.Hint{File: name})
	if !ok || unread(f) > 5 || looped {
		if c := follow(ctx, lines); c != nil && len(c.Pieces) > 1 && (looped || better(c, f, name)) {
			return c
		}
	}
	whole.Found = f
	return whole
}

// unread is the percentage of lines that a reading leaves over.
func unread(f *detect.Found) int {
	if !f.Known {
		return 0
	}
	return len(f.Report.Unknown) * 100 / max(f.Report.Lines, 1)
}

// better reports whether more lines are understood in pieces than in one.
func better(c *Cut, whole *detect.Found, name string) bool {
	least := 0
	if whole != nil {
		least = whole.Understood()
	}
	sum := 0
	for _, p := range c.Pieces {
		if f, ok := detect.Text(p.Text, detect.Hint{File: name}); ok {
			sum += f.Understood()
		}
	}
	return sum > least
}
