// Package viosrules reads and prints what rules -o diff of a VIOS lists: each
// setting that differs, with the two values it has. The rows are those of
// AIX's runtime expert, on which the command rests: a name, a target in many
// cases, and "value | value".
package viosrules

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
)

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
	dialect.Report
	Differences []*Difference `json:"differences,omitempty"`
}

// Parse reads the output of rules -o diff. An empty text is a comparison that
// found nothing. Errors: dialect.ErrNotRecognised if a text holds neither a
// difference nor a message.
func Parse(text []byte) (*Diff, error) {
	d := &Diff{}
	lines := dialect.Lines(text, &d.Report)
	for _, l := range lines {
		if x := parseLine(l.Text); x != nil {
			x.Line = l.Number
			d.Differences = append(d.Differences, x)
		} else {
			d.NotUnderstood(l)
		}
	}
	if len(d.Differences)+d.Messages == 0 && len(lines) > 0 {
		return nil, fmt.Errorf("rules: %w", dialect.ErrNotRecognised)
	}
	return d, nil
}

// setting is the form of a name: component and setting in one, with a colon or
// slash in it, so that no heading or sentence is taken for one.
var setting = dialect.Lazy(`^[A-Za-z][A-Za-z0-9_,-]*[.:/][A-Za-z0-9_.,:/=-]*[A-Za-z0-9_]$`)

// parseLine reads "name [target] left | right".
func parseLine(line string) *Difference {
	before, after, ok := strings.Cut(line, "|")
	words, right := strings.Fields(before), strings.Fields(after)
	if !ok || len(words) < 2 || len(words) > 3 || len(right) != 1 || strings.Contains(right[0], "|") || !setting.MatchString(words[0]) {
		return nil
	}
	if !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "\t") || after == "" || after[0] != ' ' && after[0] != '\t' {
		return nil
	}
	d := &Difference{Name: words[0], Left: words[len(words)-1], Right: right[0]}
	if len(words) == 3 {
		d.Target = words[1]
	}
	return d
}
