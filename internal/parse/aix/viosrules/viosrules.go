// Package viosrules reads what rules -o diff of a VIOS lists: each
// setting that differs, with the two values it has. The rows are those of
// AIX's runtime expert, on which the command rests: a name, a target in many
// cases, and "value | value".
package viosrules

import "seaworthy/internal/parse"

// Difference is one row.
type Difference struct {
	Name   string `json:"name"`             // component and setting, as printed
	Target string `json:"target,omitempty"` // what else is printed before the values: device=adapter/vdevice/IBM,l-lan
	Left   string `json:"left"`             // values in the order printed
	Right  string `json:"right"`
	Line   int    `json:"-"` // 1-based
}

// Diff is one output.
type Diff struct {
	parse.Report
	Differences []*Difference `json:"differences,omitempty"`
}

// Parse reads the output of rules -o diff. An empty text is a comparison that
// found nothing. Errors: parse.ErrNotRecognised if a text holds neither a
// difference nor a message.
func Parse(text []byte) (*Diff, error) {
	d := &Diff{}
	known := d.Read(text, func(l parse.Line) bool {
		x := &Difference{Line: l.Number}
		ok := row.Scan(l.Text, &x.Name, &x.Target, &x.Left, &x.Right)
		if ok {
			d.Differences = append(d.Differences, x)
		}
		return ok
	})
	return parse.Recognised(d, known+d.Messages > 0 || len(d.Unknown) == 0)
}

// row is "name [target] left | right". A name is component and setting in one, with a
// colon or slash in it, so that no heading or sentence is taken for one.
var row = parse.Lazy(`^\s*([A-Za-z][A-Za-z0-9_,-]*[.:/][A-Za-z0-9_.,:/=-]*[A-Za-z0-9_])` +
	`(?:\s+([^\s|]+))?\s+([^\s|]+)[ \t]+\|[ \t]+([^\s|]+)\s*$`)
