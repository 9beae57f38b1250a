package lscfg

import (
	"fmt"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

var (
	fixedForm = parse.Lazy(`^\s*(?:INSTALLED RESOURCE LIST(?: WITH VPD)?|The following resources are installed on .*|` +
		`\S(?:/-)? +=? *.*(?:Added or deleted from Resource List|Diagnostic support not available)\.?|` +
		`DEVICE\s+LOCATION\s+DESCRIPTION|PLATFORM SPECIFIC)\s*$`)
	modelForm = parse.Lazy(`^\s*Model (Architecture|Implementation):\s*(.*?)\s*$`)
	vpdForm   = parse.Lazy(`^\s*([A-Za-z][^:]*?)\.{2,}(.*)$`)
	vpdCut    = parse.Lazy(`^\s{4,}[A-Z][\w /]*\.?(?:\([^)]*)?$`)
	rowForm   = parse.Lazy(`^(\s*)(?:(\S)[ \t]+)?([A-Za-z][\w.:/-]*)([ \t]+)(\S+)([ \t]*)(.*?)\s*$`)
	// locationForm is U9105.22A.10ABCDE-P1-C3, 00-08, P1-C3-T1, U1/..., or an
	// address behind a name and a colon.
	locationForm = parse.Lazy(`^(?:U[0-9A-Za-z]+[.-]\S*|[0-9A-Z]{2}-[0-9A-Z]{2}(?:-\S+)?|[PU]\d[\w.]*[-/]\S+|\w[\w.-]*:[:.0-9A-Fa-f]\S*)$`)
)

// reader holds a list while it is read.
type reader struct {
	*List
	now      *Resource // whose lines follow
	platform bool      // past PLATFORM SPECIFIC
	fresh    bool      // the line before was now's row
}

// Parse reads what lscfg prints; parse.ErrNotRecognised if it holds neither
// a resource nor a message.
func Parse(text []byte) (*List, error) {
	r := &reader{List: &List{}}
	known := r.Read(text, func(l parse.Line) bool {
		fresh := r.fresh
		r.fresh = false
		return r.line(l, fresh)
	})
	if known+r.Messages == 0 {
		return nil, parse.ErrNotRecognised
	}
	if n := len(r.Resources); n > 0 && !r.Whole && r.Resources[n-1].Mark == "" && len(r.Resources[n-1].VPD) == 0 {
		last := r.Resources[n-1]
		r.Warn(last.Line, last.Name+": no vital product data follows; -v prints them")
	}
	if r.Whole && (r.Architecture == "" || r.Implementation == "" || len(r.Resources) == 0) {
		r.Warn(0, "the list of resources is incomplete: model or resources are missing")
	}
	return r.List, nil
}

// line reads one line; false if it is not known.
func (r *reader) line(l parse.Line, fresh bool) bool {
	text := l.Text
	if fixedForm.MatchString(text) {
		r.platform = strings.Contains(text, "PLATFORM SPECIFIC")
		r.Whole = r.Whole || strings.Contains(text, "INSTALLED RESOURCE LIST")
		return true
	}
	if m := modelForm.FindStringSubmatch(text); m != nil {
		if m[1] == "Architecture" {
			r.Architecture = m[2]
		} else {
			r.Implementation = m[2]
		}
		return true
	}
	if fresh && strings.HasPrefix(strings.ReplaceAll(text, "\t", "        "), strings.Repeat(" ", 20)) {
		r.now.Description += " " + strings.TrimSpace(text) // goes on below
		return true
	}
	return r.now != nil && r.detail(l) || r.row(l)
}

// detail reads a line of a resource's vital product data.
func (r *reader) detail(l parse.Line) bool {
	now := r.now
	q, isPair := labels.Cut(l.Text)
	switch m := vpdForm.FindStringSubmatch(l.Text); {
	case m != nil:
		now.VPD = append(now.VPD, Item{Label: m[1], Value: strings.TrimSpace(m[2])})
	case isPair && r.platform:
		now.Platform = append(now.Platform, Item(q))
	case strings.HasSuffix(strings.TrimSpace(l.Text), ":") && now.Product == "" && len(now.VPD) == 0:
		now.Product = strings.TrimSuffix(strings.TrimSpace(l.Text), ":")
	case l.Text[0] != ' ' && l.Text[0] != '\t':
		return false
	case len(now.VPD) > 0 && vpdCut.MatchString(l.Text):
		r.Warn(l.Number, fmt.Sprintf("%s: a label without value: %q", now.Name, strings.TrimSpace(l.Text)))
	default:
		return false
	}
	return true
}

// row reads the line that names a resource.
func (r *reader) row(l parse.Line) bool {
	m := rowForm.FindStringSubmatch(l.Text)
	if m == nil || !r.Whole && strings.Trim(m[2], "+*-") != "" { // nmon saves marks as letters
		return false
	}
	lead := m[1]
	mark := m[2]
	name := m[3]
	gap := m[4]
	word := m[5]
	after := m[6]
	rest := m[7]
	res := &Resource{Mark: mark, Name: name, Line: l.Number}
	switch {
	case after != "" && (locationForm.MatchString(word) || len(after) > 1 && strings.ContainsAny(word, "-.:")):
		res.Location, res.Description = word, rest
	case mark == "" && (len(gap) < 2 || lead == ""):
		return false // a sentence, not a row
	default:
		res.Description = word + after + rest
	}
	r.Resources = append(r.Resources, res)
	r.now, r.platform, r.fresh = res, false, true
	return true
}
