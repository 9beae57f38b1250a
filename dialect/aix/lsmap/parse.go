package lsmap

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
)

var (
	headShape   = dialect.Lazy(`^\s*(SVEA|SVSA|Name|Paging|VBSD)\s+(?:Physloc|Storage|DRC)`)
	rulerShape  = dialect.Lazy(`^\s*-{4,}(?:\s+-{4,})*\s*$`)
	deviceShape = dialect.Lazy(`^[a-z][a-z_]*\d+$`)
	fmtShape    = dialect.Lazy(`^([a-z][a-z_]*\d+)([^\w\s])(.*)$`)
	labelShape  = dialect.Lazy(`^(\s*)([A-Z][\w/ ()-]*?)(\s{2,}|\t+|\s*:\s*|$)(.*?)(\s*)$`)
	// Labels of -net blocks, also where copies collapsed the blanks.
	netLabel = dialect.Lazy(`^(\s*)(SEA|Backing device|Status|Physloc)(\s*:\s*|\s+|$)(.*?)(\s*)$`)
	pairGap  = dialect.Lazy(`\s{2,}[A-Z][\w ]*:`)
)

// reader holds a text while it is read.
type reader struct {
	m      *Map
	raw    []string
	lines  []string
	paint  []printout.Paint
	net    bool           // inside a -net block
	head   bool           // the next line holds a block's own row
	inside bool           // inside any block
	whole  map[int]bool   // adapters whose block came to its last line
	said   map[field]bool // labels that the present -net block has had
}

// Parse reads what lsmap prints. It returns dialect.ErrNotRecognised if the
// text holds neither a block nor a message.
func Parse(text []byte) (*Map, error) {
	m := &Map{}
	src, err := printout.Open("lsmap", text, &m.Report)
	if err != nil {
		return nil, err
	}
	m.layout = src.Layout()
	r := &reader{m: m, lines: src.Lines, raw: src.Raw, paint: src.Paint, whole: map[int]bool{}}
	known := src.Messages
	for i := range r.lines {
		if !src.Message[i] && r.line(i) {
			known++
			continue
		}
		src.Keep(&m.layout, i)
	}
	if known == 0 {
		return nil, fmt.Errorf("lsmap: %w", dialect.ErrNotRecognised)
	}
	r.doubts()
	m.read = len(m.Adapters)
	return m, nil
}

// doubts warns of adapters whose block does not say what bridges them.
func (r *reader) doubts() {
	for i, a := range r.m.Adapters {
		switch {
		case a.NoSEA:
		case a.SEA == "":
			r.m.Warn(a.Line, a.Name+": no line says which SEA bridges it")
		case !r.whole[i]:
			r.m.Warn(a.Line, a.Name+": the text ends before the last line of its block")
		case a.Backing == "":
			r.m.Warn(a.Line, a.Name+": no line says which device backs the SEA")
		}
	}
}

// line reads one line; false if it is not known.
func (r *reader) line(i int) bool {
	l := r.lines[i]
	switch {
	case strings.TrimSpace(l) == "":
		return false
	case headShape.MatchString(l):
		r.net = strings.HasPrefix(strings.TrimSpace(l), "SVEA")
		r.inside = true
		r.head = true
		r.m.layout.Keep(r.raw[i])
		return true
	case rulerShape.MatchString(l) && r.inside:
		r.m.layout.Keep(r.raw[i])
		return true
	case r.head:
		if r.row(i) {
			r.head = false
			return true
		}
	case r.inside && r.detail(i):
		return true
	}
	return r.delimited(i)
}

func (r *reader) put(i int, parts ...part) {
	r.m.lines = append(r.m.lines, line{parts: parts, paint: r.paint[i]})
	r.m.layout.Row()
}

// row reads the line below a block's heading.
func (r *reader) row(i int) bool {
	words, gaps, tail := cells(r.lines[i])
	if len(words) == 0 || !deviceShape.MatchString(words[0]) {
		return false
	}
	if r.net {
		if len(words) > 2 {
			return false
		}
		b := len(r.m.Adapters)
		a := Adapter{Name: words[0], Line: i + 1}
		parts := []part{{literal: gaps[0], value: &ref{block: b, field: fieldName}}}
		if len(words) == 2 {
			a.PhysLoc = words[1]
			parts = append(parts, part{literal: gaps[1], value: &ref{block: b, field: fieldPhysLoc}})
		}
		r.m.Adapters, r.said = append(r.m.Adapters, a), map[field]bool{}
		r.put(i, append(parts, part{literal: tail})...)
		return true
	}
	b := len(r.m.Others)
	parts := []part{{literal: gaps[0], value: &ref{other: true, block: b, field: fieldName}}}
	for k := 1; k < len(words); k++ {
		parts = append(parts, part{literal: gaps[k], value: &ref{other: true, block: b, field: fieldColumn, detail: k - 1}})
	}
	r.m.Others = append(r.m.Others, Other{Name: words[0], Fields: words[1:], Line: i + 1})
	r.put(i, append(parts, part{literal: tail})...)
	return true
}

// cells cuts a line into words and the blanks before them.
func cells(l string) (words, gaps []string, tail string) {
	for l != "" {
		trimmed := strings.TrimLeft(l, " \t\r")
		gap := l[:len(l)-len(trimmed)]
		if trimmed == "" {
			return words, gaps, gap
		}
		n := strings.IndexAny(trimmed, " \t\r")
		if n < 0 {
			n = len(trimmed)
		}
		words, gaps = append(words, trimmed[:n]), append(gaps, gap)
		l = trimmed[n:]
	}
	return words, gaps, ""
}

// detail reads a labelled line of a block.
func (r *reader) detail(i int) bool {
	if r.net {
		return r.netDetail(i)
	}
	if len(r.m.Others) == 0 {
		return false
	}
	b := len(r.m.Others) - 1
	o := &r.m.Others[b]
	rest := r.lines[i]
	var parts []part
	for rest != "" {
		piece := rest // two pairs can share a line: FC name:fcs0   FC loc code:U78...
		if at := pairGap.FindStringIndex(rest); at != nil && at[0] > 0 && strings.Contains(rest[:at[0]], ":") {
			piece = rest[:at[0]]
		}
		f := labelShape.FindStringSubmatch(piece)
		if f == nil {
			return false
		}
		k := len(o.Details)
		if k > 1<<16 {
			return false
		}
		o.Details = append(o.Details, Detail{Label: f[2], Value: f[4]})
		parts = append(parts,
			part{literal: f[1], value: &ref{other: true, block: b, field: fieldLabel, detail: k}},
			part{literal: f[3], value: &ref{other: true, block: b, field: fieldDetail, detail: k}},
			part{literal: f[5]})
		rest = rest[len(piece):]
	}
	r.put(i, parts...)
	return true
}

func (r *reader) netDetail(i int) bool {
	f := netLabel.FindStringSubmatch(r.lines[i])
	if f == nil || len(r.m.Adapters) == 0 {
		return false
	}
	b := len(r.m.Adapters) - 1
	a := &r.m.Adapters[b]
	at := map[string]field{"SEA": fieldSEA, "Backing device": fieldBacking, "Status": fieldStatus, "Physloc": fieldBackingLoc}[f[2]]
	switch {
	case r.said[at]:
		return false // which of the two it is cannot be told
	case f[4] == noSEA && at == fieldSEA:
		a.NoSEA = true
	case strings.Contains(f[4], " "), at == fieldSEA && f[4] != "" && !deviceShape.MatchString(f[4]):
		return false // no name: not to be taken for one
	default:
		*a.text(at) = f[4]
	}
	r.said[at] = true
	r.whole[b] = r.whole[b] || at == fieldBackingLoc
	r.put(i, part{literal: f[1] + f[2] + f[3], value: &ref{block: b, field: at}}, part{literal: f[5]})
	return true
}
