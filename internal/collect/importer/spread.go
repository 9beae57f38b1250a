package importer

import (
	"cmp"
	"slices"
	"strings"
)

// spread gives the parts of a file that name no host the one that others name. Of several hosts it is the one that is named
// before and behind a part; else what the text itself says of its order decides, or the part is unclear.
func (f *file) spread(host, from string) {
	f.doubtPrompts()
	var names []string
	for _, p := range f.parts {
		p.direct = p.named != ""
		if k := key(cmp.Or(p.known, p.named)); p.direct && !slices.Contains(names, k) {
			names = append(names, k)
		}
	}
	if len(names) < 2 {
		f.give(f.parts, host, from)
		return
	}
	order := f.asked()
	if order == nil {
		order = f.turns(names)
	}
	if order == nil {
		order = f.led(names)
	}
	for i, p := range f.parts {
		before, behind := f.neighbours(i)
		switch {
		case p.direct:
		case before != nil && behind != nil && sameHost(before, behind):
			p.named, p.namedBy = before.named, before.namedBy
		case order != nil:
			p.named, p.namedBy = order[i].named, order[i].namedBy
		case p.found == nil || p.found.ID == otherID:
			near := cmp.Or(before, behind)
			p.named, p.namedBy = near.named, near.namedBy
		default:
			p.unclear = strings.Join(names, " or ")
		}
	}
}

// asked is, for each part, the answer of hostname above it, where nothing else names a host and hostname is what was asked first. Nil:
// it is not so.
func (f *file) asked() []*part {
	out := make([]*part, len(f.parts))
	var last *part
	for i, p := range f.parts {
		switch {
		case !p.direct:
		case p.namedBy == "hostname":
			last = p
		case last == nil || !sameHost(p, last):
			return nil
		}
		if last == nil && p.found != nil {
			return nil
		}
		out[i] = last
	}
	for i := range out {
		if out[i] == nil {
			out[i] = out[len(out)-1]
		}
	}
	return out
}

// led is, for each part, the one that names its host where the outputs of each host begin with the same command, which names it:
// hostnamectl, then others. Nil: it is not so.
func (f *file) led(names []string) []*part {
	out := make([]*part, len(f.parts))
	var first, last *part
	turns, open := 0, true // open: the last output names no host
	for i, p := range f.parts {
		output := p.found != nil && p.found.ID != otherID
		switch {
		case output && first == nil && !p.direct, p.direct && !output, p.direct && first != nil && p.found.ID != first.found.ID:
			return nil
		case output && first == nil:
			first = p
		}
		if p.direct {
			last = p
			turns++
		}
		if output {
			open = !p.direct
		}
		out[i] = last
	}
	if !open || turns != len(names) {
		return nil
	}
	for i := range out {
		out[i] = cmp.Or(out[i], first)
	}
	return out
}

// doubtPrompts takes away the names of prompts below which two other hosts name themselves: somebody logged in to both from there.
func (f *file) doubtPrompts() {
	below := map[string][]string{} // by the name in the prompt
	for _, p := range f.parts {
		k := key(p.prompt)
		if p.prompt != "" && p.named != "" && key(p.named) != k && !slices.Contains(below[k], key(p.named)) {
			below[k] = append(below[k], key(p.named))
		}
	}
	for _, p := range f.parts {
		if p.namedBy == "prompt" && len(below[key(p.named)]) > 1 {
			p.named, p.namedBy = "", ""
		}
	}
}

// give gives parts that name no host the one that the file's head names, or the only one that others name.
func (f *file) give(parts []*part, host, from string) {
	named := slices.IndexFunc(parts, func(p *part) bool { return p.named != "" })
	output := slices.ContainsFunc(parts, func(p *part) bool { return p.named == "" && p.found != nil && p.found.ID != otherID })
	if named >= 0 && (host == "" || !output) { // words alone are none of a host from which others were logged in to
		host, from = parts[named].named, parts[named].namedBy
	}
	for _, p := range parts {
		if p.named == "" && !(p.elsewhere && from == "prompt") {
			p.named, p.namedBy = host, from
		}
	}
}

// neighbours are the nearest parts of a file before and behind one that name a host for themselves.
func (f *file) neighbours(i int) (before, behind *part) {
	for _, p := range f.parts[:i] {
		if p.direct {
			before = p
		}
	}
	for _, p := range slices.Backward(f.parts[i+1:]) {
		if p.direct {
			behind = p
		}
	}
	return before, behind
}

func sameHost(p, q *part) bool { return key(p.named) == key(q.named) }

// turns is, for each part, the one that names its host where the text is the same outputs of one host after the other, or
// where as many texts of people stand between outputs as there are further hosts. Nil: the text is neither.
func (f *file) turns(names []string) []*part {
	var outputs []int // of the file's parts
	var notes []int   // how many outputs stand before each text of a person that has some before and behind it
	for i, p := range f.parts {
		isNote := p.found != nil && p.found.Kind == noteKind
		switch {
		case isNote && len(outputs) > 0:
			notes = append(notes, len(outputs))
		case isNote:
		default:
			outputs = append(outputs, i)
		}
	}
	notes = slices.DeleteFunc(slices.Compact(notes), func(n int) bool { return n == len(outputs) })
	var begins []int // of each host's outputs but the first one's
	each := len(outputs) / len(names)
	switch {
	case len(notes) == len(names)-1:
		begins = notes
	case f.repeats(outputs, each) && len(outputs) == each*len(names):
		for n := 1; n < len(names); n++ {
			begins = append(begins, n*each)
		}
	default:
		return nil
	}
	out := make([]*part, len(f.parts))
	from := 0
	for _, to := range append(begins, len(outputs)) {
		name := f.onlyName(outputs[from:to])
		if name == nil {
			return nil
		}
		last := len(f.parts)
		if to < len(outputs) {
			last = outputs[to]
		}
		for i := range out[:last] {
			out[i] = cmp.Or(out[i], name)
		}
		from = to
	}
	return out
}

// repeats reports whether outputs are the same kinds in the same order again and again.
func (f *file) repeats(outputs []int, each int) bool {
	if each < 2 {
		return false
	}
	for n := range outputs[each:] {
		p, q := f.parts[outputs[n]], f.parts[outputs[n+each]]
		if p.found == nil || q.found == nil || slot(p) != slot(q) {
			return false
		}
	}
	return true
}

// onlyName is a part that names the only host among some; nil if there is none, or several.
func (f *file) onlyName(outputs []int) (name *part) {
	for _, i := range outputs {
		switch p := f.parts[i]; {
		case !p.direct:
		case name == nil:
			name = p
		case !sameHost(name, p):
			return nil
		}
	}
	return name
}
