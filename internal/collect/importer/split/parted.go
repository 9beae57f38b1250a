package split

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

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
	f, _ := detect.Text(text, detect.Hint{File: name})
	if c, kinds := titled(lines); kinds > 1 || kinds == 1 && f == nil {
		return c
	}
	skipping := f != nil && skips[f.ID]
	another := f != nil && beginsAnother(lines, f)
	if f == nil || !f.Known || another || len(f.Report.Unknown)*100/max(f.Report.Lines, 1) > 5 || looped || skipping {
		c := follow(ctx, lines)
		if skipping && interrupted(c, f.ID, name) {
			return c
		}
		if skipping {
			blocks := blocksOf(whole.Pieces[0], detect.Hint{})
			c := &Cut{Form: Follow, Pieces: blocks}
			if interrupted(c, f.ID, "") {
				return c
			}
		}
		if u := underlines(lines); u != nil && len(u.Pieces) <= maxPieces && better(u, f, name) && understood(u, name) >= understood(c, name) {
			return u
		}
		if c != nil && len(c.Pieces) > 1 && (looped || another && understood(c, name) > 0 || better(c, f, name)) {
			return c
		}
	}
	whole.Found = f
	if f == nil {
		below := belowTitle(lines)
		if below != nil {
			return below
		}
	}
	return whole
}

// mostTitle is how many lines of something else may stand above an output that is known only without them.
const mostTitle = 2

// beginsAnother reports whether the first line of a text is one with which another output begins than the one that it looks like.
func beginsAnother(lines []string, f *detect.Found) bool {
	for _, l := range lines {
		b := body(l)
		if strings.TrimSpace(b) == "" {
			continue
		}
		e := start(b)
		return e != nil && e.ID != f.ID && e.Parse != nil && e.Like != f.ID && !slices.Contains(e.Within, f.ID)
	}
	return false
}

// belowTitle is a text whose lines but the first ones are an output; nil if they are none.
func belowTitle(lines []string) *Cut {
	for n := 1; n <= mostTitle && n+leastMarked <= len(lines); n++ {
		if gaps(body(lines[n-1])) > mostGaps { // the names of columns, which are another table's
			return nil
		}
		text := []byte(strings.Join(lines[n:], ""))
		_, ok := detect.Text(text, detect.Hint{})
		if ok {
			title := []byte(strings.Join(lines[:n], ""))
			return &Cut{Form: Follow, Pieces: []Piece{{Text: title, Line: 1, Note: true}, {Text: text, Line: n + 1}}}
		}
	}
	return nil
}

// skips are the entries that are known by some of their lines, whatever stands between: the kernel's log, and nmon.
var skips = map[string]bool{"dmesg": true, "nmon-linux": true, "nmon-aix": true}

// interrupted reports whether among the pieces of what looks like a log are whole outputs of another kind.
func interrupted(c *Cut, id, name string) bool {
	if c == nil || len(c.Pieces) < 2 {
		return false
	}
	return slices.ContainsFunc(c.Pieces, func(p Piece) bool {
		f, ok := detect.Text(p.Text, detect.Hint{File: cmp.Or(p.Title, name)})
		return ok && f.Known && f.ID != id && f.Report.Lines >= leastMarked && f.Understood() == f.Report.Lines
	})
}

// better reports whether more lines are understood in pieces than in one. Of an output that is known for what it is and not
// evaluated, some lines look like those of others: most must be.
func better(c *Cut, whole *detect.Found, name string) bool {
	sum := understood(c, name)
	if whole != nil && !whole.Known {
		return 2*sum > whole.Report.Lines
	}
	return sum > 0 && (whole == nil || c.value(name).taken > whole.Understood())
}

// understood is how many lines of the pieces are.
func understood(c *Cut, name string) (sum int) {
	if c == nil {
		return 0
	}
	for _, p := range c.Pieces {
		if f, ok := detect.Text(p.Text, detect.Hint{File: cmp.Or(p.Title, name)}); ok {
			sum += f.Understood()
		}
	}
	return sum
}

// follow parts outputs that follow each other with nothing between, by
// the lines with which outputs begin. Another such line of the same entry goes
// on with it, unless each of them begins an output.
func follow(ctx context.Context, lines []string) *Cut {
	var now *registry.Entry
	var marks []mark
	begin, title, names := 0, "", map[string]bool{} // names: first words of an lsattr; one again is another device
	next := func(m mark, e *registry.Entry) {
		marks = append(marks, m)
		begin = m.to
		now = e
		names = map[string]bool{}
	}
	starts := remembered(start)
	for i, l := range lines {
		if ctx.Err() != nil {
			return nil
		}
		b := body(l)
		if device := deviceTitle(b); device != "" {
			title = device
			next(mark{i, i + 1, Piece{Title: title}}, nil)
			continue
		}
		e := starts(b)
		if e == nil {
			continue
		}
		attributes, name := e.ID == "lsattr-El", strings.Fields(b)[0]
		again := e.Again || attributes && names[name]
		if e == now && again || e != now && !(now != nil && slices.Contains(e.Within, now.ID)) {
			at := i
			for at > begin && isRuler(body(lines[at-1])) { // it belongs to the heading
				at--
			}
			if now != nil {
				title = ""
			}
			next(mark{at, at, Piece{Title: title}}, e)
		}
		if attributes {
			names[name] = true
		}
	}
	var list []Piece
	for _, p := range between(lines, marks...) {
		list = append(list, inBlocks(p)...)
	}
	return &Cut{Form: Follow, Pieces: list}
}

// label is the front of a line that holds a value behind a colon, which no
// list of attributes does: "Trunk Adapter: False".
var label = parse.Lazy(`^[A-Z]\w*(?: [\w()]+)*[ \t]*:`)

// startLength is how much of a line shows that an output begins with it, in bytes.
const startLength = 1000

// start is the entry whose outputs begin with a line like this.
func start(line string) *registry.Entry {
	line = line[:min(len(line), startLength)]
	for _, e := range registry.Entries() {
		if e.Start != nil && e.Start.MatchString(line) && (e.ID != "lsattr-El" || !label.MatchString(line)) {
			return e
		}
	}
	return nil
}
