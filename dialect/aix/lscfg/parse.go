package lscfg

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
	"seaworthy/dialect/layout"
)

var (
	vpdCut        = dialect.Lazy(`^\s{4,}[A-Z][\w /]*\.?(?:\([^)]*)?$`)
	productShape  = dialect.Lazy(`^(\s{2,})(\S.*)(:)(\s*)$`)
	platformShape = dialect.Lazy(`^(\s+)([A-Z][\w /-]*)(:\s*)(.*?)(\s*)$`)
	modelShape    = dialect.Lazy(`^(\s*)Model (Architecture|Implementation):(\s*)(.*?)(\s*)$`)
	fixedShape    = dialect.Lazy(`^\s*(?:INSTALLED RESOURCE LIST( WITH VPD)?|The following resources are installed on (?:the|your) machine\.|\S(?:/-)? +=? *.*(?:Added or deleted from Resource List|Diagnostic support not available)\.?|DEVICE\s+LOCATION\s+DESCRIPTION|PLATFORM SPECIFIC)\s*$`)
	indented      = dialect.Lazy(`^([ \t]{20,})(\S.*?)([ \t\r]*)$`)
)

// reader holds a text while it is read.
type reader struct {
	list     *List
	src      *printout.Source
	now      *Resource // whose lines follow
	whole    bool      // past the heading of the whole list
	platform bool      // past PLATFORM SPECIFIC
	fresh    bool      // the line before was now's row

	resources layout.Room[Resource]
}

// Parse reads what lscfg prints; dialect.ErrNotRecognised if it holds neither
// a resource nor a message.
func Parse(text []byte) (*List, error) {
	list := &List{}
	src, err := printout.Open("lscfg", text, &list.Report)
	if err != nil {
		return nil, err
	}
	list.layout = src.Layout()
	list.lines = make([]line, 0, len(src.Lines))
	r := &reader{list: list, src: src}
	known := src.Messages
	for i := range src.Lines {
		fresh := r.fresh
		r.fresh = false
		if !src.Message[i] && !src.Blank(i) && r.line(i, fresh) {
			known++
			continue
		}
		src.Keep(&list.layout, i)
	}
	if n := len(list.Resources); n > 0 && !r.whole && list.Resources[n-1].Mark == "" && len(list.Resources[n-1].VPD) == 0 {
		last := list.Resources[n-1]
		list.Warn(last.Line, last.Name+": no vital product data follows; -v prints them")
	}
	if list.Whole && (list.Architecture == "" || list.Implementation == "" || len(list.Resources) == 0) {
		list.Warn(0, "the list of resources is not whole: model or resources are missing")
	}
	if known == 0 {
		return nil, fmt.Errorf("lscfg: %w", dialect.ErrNotRecognised)
	}
	return list, nil
}

func (r *reader) put(i int, l line) bool {
	l.paint = r.src.Paint[i]
	r.list.lines = append(r.list.lines, l)
	r.list.layout.Row()
	return true
}

// line reads one line; false if it is not known.
func (r *reader) line(i int, fresh bool) bool {
	text := r.src.Lines[i]
	if mayBeFixed(text) && fixedShape.MatchString(text) {
		r.platform = strings.Contains(text, "PLATFORM SPECIFIC")
		if strings.Contains(text, "INSTALLED RESOURCE LIST") {
			r.whole, r.list.Whole = true, true
		}
		r.src.KeepKnown(&r.list.layout, i)
		return true
	}
	if m := match(modelShape, text, strings.Contains(text, "Model ")); m != nil {
		l := line{kind: architecture, gaps: [5]string{m[1], m[3], m[5]}}
		if r.list.Architecture = pick(m[2] == "Architecture", m[4], r.list.Architecture); m[2] == "Implementation" {
			r.list.Implementation, l.kind = m[4], implementation
		}
		return r.put(i, l)
	}
	if m := match(indented, text, fresh && setIn(text)); m != nil {
		n := len(r.list.lines) - 1
		r.list.lines[n].wrap = int32(len(r.now.Description))
		r.now.Description += " " + m[2]
		return r.put(i, line{kind: wrapped, of: r.now, wrap: r.list.lines[n].wrap, gaps: [5]string{m[1], m[3]}})
	}
	if r.now != nil && !r.marked(text) && r.detail(i, text) {
		return true
	}
	return r.row(i, text)
}

func pick(ok bool, a, b string) string {
	if ok {
		return a
	}
	return b
}

func (r *reader) marked(text string) bool {
	return len(text) > 1 && strings.ContainsRune("+*-", rune(text[0])) && text[1] == ' '
}

// detail reads a line of a resource's vital product data.
func (r *reader) detail(i int, text string) bool {
	now := r.now
	if label, value, gaps, ok := cutVPD(text); ok {
		now.VPD = append(now.VPD, Item{Label: label, Value: value})
		return r.put(i, line{kind: vpd, of: now, index: int32(len(now.VPD) - 1), gaps: gaps})
	}
	if m := match(platformShape, text, r.platform); m != nil {
		now.Platform = append(now.Platform, Item{Label: m[2], Value: m[4]})
		return r.put(i, line{kind: platform, of: now, index: int32(len(now.Platform) - 1), gaps: [5]string{m[1], m[3], m[5]}})
	}
	if m := match(productShape, text, now.Product == "" && len(now.VPD) == 0); m != nil {
		now.Product = m[2]
		return r.put(i, line{kind: product, of: now, gaps: [5]string{m[1], m[3] + m[4]}})
	}
	if len(now.VPD) > 0 && vpdCut.MatchString(text) {
		r.list.Warn(i+1, fmt.Sprintf("%s: a label without value: %q", now.Name, strings.TrimSpace(text)))
		r.src.KeepKnown(&r.list.layout, i)
		return true
	}
	return false
}

// row reads the line that names a resource.
func (r *reader) row(i int, text string) bool {
	c, ok := cutRow(text)
	if !ok {
		return false
	}
	mark, rest := c.mark, c.rest
	if mark != "" && !r.whole && !strings.ContainsAny(mark, "+*-") {
		return false
	}
	res := &r.resources.Take(1)[0]
	*res = Resource{Mark: mark, Name: c.name, Line: i + 1, read: true}
	word, gap, tail := rest, "", ""
	if n := strings.IndexAny(rest, " \t"); n >= 0 {
		tail = strings.TrimLeft(rest[n:], " \t")
		word, gap = rest[:n], rest[n:len(rest)-len(tail)]
	}
	switch {
	case gap != "" && (isLocation(word) || len(gap) > 1 && strings.ContainsAny(word, "-.:")):
		res.Location, res.Description = word, tail
	case mark == "" && (len(c.gap) < 2 || c.lead == ""):
		return false // a sentence, not a row
	default:
		res.Description, gap = rest, ""
	}
	if mark == "" && c.lead == "" && res.Location == "" {
		return false
	}
	r.list.Resources = append(r.list.Resources, res)
	r.now, r.platform, r.fresh = res, false, true
	return r.put(i, line{kind: row, of: res, gaps: [5]string{c.lead, c.after, c.gap, gap, c.tail}})
}
