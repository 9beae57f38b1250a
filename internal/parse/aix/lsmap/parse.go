package lsmap

import (
	"strings"

	"seaworthy/internal/parse"
)

var (
	headForm   = parse.Lazy(`^\s*(SVEA|SVSA|Name|Paging|VBSD)\s+(?:Physloc|Storage|DRC)`)
	rulerForm  = parse.Lazy(`^\s*-{4,}(?:\s+-{4,})*\s*$`)
	deviceForm = parse.Lazy(`^[a-z][a-z_]*\d+$`)
	fmtForm    = parse.Lazy(`^[a-z][a-z_]*\d+([^\w\s]).*$`)
	placeForm  = parse.Lazy(`^U[0-9A-Z]{2,}[\w.-]*$`)
	// Labels of -net blocks, also where copies collapsed the blanks.
	netLabel = parse.Lazy(`^\s*(SEA|Backing device|Status|Physloc)(?:\s*:\s*|\s+|$)(.*?)\s*$`)
	label    = parse.Lazy(`^\s*([A-Z][\w/ ()-]*?)(?:\s{2,}|\t+|\s*:\s*|$)(.*?)\s*$`)
	// Two pairs can share a line: FC name:fcs0   FC loc code:U78...
	secondLabel = parse.Lazy(`\S(\s{2,})[A-Z][\w ]*:`)
)

// reader is where in the text a reader is.
type reader struct {
	m      *Map
	heads  bool            // the next line is a block's own row
	net    bool            // inside a -net block
	other  bool            // inside a block of another kind
	said   map[string]bool // labels that the present -net block has had
	ending map[int]bool    // adapters whose block came to its last line
}

// Parse reads what lsmap prints. It returns parse.ErrNotRecognised if the
// text holds neither a block nor a message.
func Parse(text []byte) (*Map, error) {
	m := &Map{}
	r := &reader{m: m, ending: map[int]bool{}}
	if m.Read(text, r.line)+m.Messages == 0 {
		return nil, parse.ErrNotRecognised
	}
	for i, a := range m.Adapters {
		switch {
		case a.NoSEA:
		case a.SEA == "":
			m.Warn(a.Line, a.Name+": no line says which SEA bridges it")
		case !r.ending[i]:
			m.Warn(a.Line, a.Name+": the text ends before the last line of its block")
		case a.Backing == "":
			m.Warn(a.Line, a.Name+": no line says which device backs the SEA")
		}
	}
	return m, nil
}

// line reads one line; false if it is not known.
func (r *reader) line(l parse.Line) bool {
	head := headForm.FindStringSubmatch(l.Text)
	switch {
	case head != nil:
		r.heads, r.net = true, head[1] == "SVEA"
		r.other = !r.net
		return true
	case rulerForm.MatchString(l.Text):
		return r.net || r.other
	case r.heads:
		if r.row(l) {
			r.heads = false
			return true
		}
	case r.net:
		if r.netDetail(l.Text) {
			return true
		}
	case r.other:
		if r.detail(l.Text) {
			return true
		}
	}
	return r.delimited(l)
}

// row reads the line below a block's heading.
func (r *reader) row(l parse.Line) bool {
	words := strings.Fields(l.Text)
	if !deviceForm.MatchString(words[0]) || r.net && len(words) > 2 {
		return false
	}
	if !r.net {
		r.m.Others = append(r.m.Others, Other{Name: words[0], Fields: words[1:], Line: l.Number})
		return true
	}
	a := Adapter{Name: words[0], Line: l.Number}
	if len(words) == 2 {
		a.PhysLoc = words[1]
	}
	r.m.Adapters, r.said = append(r.m.Adapters, a), map[string]bool{}
	return true
}

func (r *reader) netDetail(text string) bool {
	f := netLabel.FindStringSubmatch(text)
	if f == nil || len(r.m.Adapters) == 0 || r.said[f[1]] { // said twice: which holds is not known
		return false
	}
	last := len(r.m.Adapters) - 1
	if !r.m.Adapters[last].set(f[1], f[2]) {
		return false
	}
	r.said[f[1]] = true
	r.ending[last] = f[1] == "Physloc"
	return true
}

// set takes a value by its label; false if it does not fit.
func (a *Adapter) set(label, value string) bool {
	switch {
	case label == "SEA" && value == noSEA:
		a.NoSEA = true
		return true
	case strings.Contains(value, " "), label == "SEA" && value != "" && !deviceForm.MatchString(value):
		return false
	}
	switch label {
	case "SEA":
		a.SEA = value
	case "Backing device":
		a.Backing = value
	case "Status":
		a.Status = value
	case "Physloc":
		a.BackingLoc = value
	}
	return true
}

// detail reads a labelled line of another block, with one pair or two.
func (r *reader) detail(text string) bool {
	if len(r.m.Others) == 0 {
		return false
	}
	pieces := []string{text}
	if at := secondLabel.Regexp().FindStringSubmatchIndex(text); at != nil && strings.Contains(text[:at[2]], ":") {
		pieces = []string{text[:at[2]], text[at[3]:]}
	}
	o := &r.m.Others[len(r.m.Others)-1]
	for _, p := range pieces {
		f := label.FindStringSubmatch(p)
		if f == nil {
			return false
		}
		o.Details = append(o.Details, Detail{Label: f[1], Value: f[2]})
	}
	return true
}

// delimited reads a line of -fmt or -fmt2: name, location, SEA, backing device,
// status (not on older levels), the backing device's location.
func (r *reader) delimited(l parse.Line) bool {
	text := strings.TrimRight(l.Text, " \t")
	f := fmtForm.FindStringSubmatch(text)
	if f == nil || r.m.Delimiter != "" && r.m.Delimiter != f[1] {
		return false
	}
	values := strings.Split(text, f[1])
	for i := range values {
		values[i] = strings.TrimSpace(values[i])
	}
	if len(values) < 3 || !placeForm.MatchString(values[1]) {
		return false
	}
	if !strings.HasPrefix(values[0], "ent") {
		r.m.Others = append(r.m.Others, Other{Name: values[0], Fields: values[1:], Line: l.Number})
		r.m.Delimiter = f[1]
		return true
	}
	labels := []string{"SEA", "Backing device", "Status", "Physloc"}
	if len(values) == 5 && values[2] != noSEA {
		labels = []string{"SEA", "Backing device", "Physloc"}
	}
	if len(values) > len(labels)+2 || len(values) < len(labels)+2 && values[2] != noSEA {
		return false
	}
	a := Adapter{Name: values[0], PhysLoc: values[1], Line: l.Number}
	for k, v := range values[2:] {
		if !a.set(labels[k], v) {
			return false
		}
	}
	r.m.Delimiter = f[1]
	r.ending[len(r.m.Adapters)] = true
	r.m.Adapters = append(r.m.Adapters, a)
	return true
}
