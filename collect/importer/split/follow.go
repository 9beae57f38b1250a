package split

import (
	"context"
	"slices"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/registry"
)

// follow parts outputs that follow each other with nothing between, by
// the lines with which outputs begin. Another such line of the same entry goes
// on with it, unless each of them begins an output.
func follow(ctx context.Context, lines []string) *Cut {
	p := pieces{line: 1}
	var now *registry.Entry
	begin, title := 0, ""
	names := map[string]bool{} // first words of an lsattr: one again is another device
	next := func(at int, e *registry.Entry) {
		p.begin(Piece{Title: title}, begin)
		for _, l := range lines[begin:at] {
			p.add(l)
		}
		p.end()
		p.text.Reset()
		begin, now, names = at, e, map[string]bool{}
	}
	starts := remembered(start)
	for i, l := range lines {
		if ctx.Err() != nil {
			return nil
		}
		b := body(l)
		if device := deviceTitle(b); device != "" {
			next(i, nil)
			begin, title = i+1, device
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
			had := now
			if next(at, e); had != nil {
				title = ""
			}
		}
		if attributes {
			names[name] = true
		}
	}
	next(len(lines), nil)
	return &Cut{Form: Follow, Pieces: p.list}
}

// label is the front of a line that holds a value behind a colon, which no
// list of attributes does: "Trunk Adapter: False".
var label = dialect.Lazy(`^[A-Z]\w*(?: [\w()]+)*[ \t]*:`)

// start is the entry whose outputs begin with a line like this.
func start(line string) *registry.Entry {
	for _, e := range registry.Entries() {
		if e.Start != nil && e.Start.MatchString(line) && (e.ID != "lsattr-El" || !label.MatchString(line)) {
			return e
		}
	}
	return nil
}
