// Package viosrules reads and prints what rules -o diff of a VIOS lists: each
// setting that differs, with the two values it has. The rows are those of
// AIX's runtime expert, on which the command rests: a name, a target in many
// cases, and "value | value".
package viosrules

import (
	"fmt"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
)

// Difference is one row.
type Difference struct {
	Name   string `json:"name"`             // component and setting, as printed
	Target string `json:"target,omitempty"` // what else stands before the values: device=adapter/vdevice/IBM,l-lan
	Left   string `json:"left"`             // values in the order printed
	Right  string `json:"right"`
	Line   int    `json:"-"` // 1-based, 0 if not read from a text

	raw   string
	paint printout.Paint
}

// Diff is one output.
type Diff struct {
	dialect.Report
	Differences []*Difference `json:"differences,omitempty"`

	layout printout.Layout
}

// Parse reads the output of rules -o diff. An empty text is a comparison that
// found nothing. Errors: dialect.ErrNotRecognised if a text holds neither a
// difference nor a message.
func Parse(text []byte) (*Diff, error) {
	d := &Diff{}
	s, err := printout.Open("rules", text, &d.Report)
	if err != nil {
		return nil, err
	}
	d.layout = s.Layout()
	blank := true
	for i, line := range s.Lines {
		blank = blank && strings.TrimSpace(line) == ""
		x := parseLine(line)
		if x == nil || s.Message[i] {
			s.Keep(&d.layout, i)
			continue
		}
		x.Line, x.paint = i+1, s.Paint[i]
		d.Differences = append(d.Differences, x)
		d.layout.Row()
	}
	if len(d.Differences)+s.Messages == 0 && !blank {
		return nil, fmt.Errorf("rules: %w", dialect.ErrNotRecognised)
	}
	return d, nil
}

// setting is the form of a name: component and setting in one, with a colon or
// slash in it, so that a heading or a sentence is none.
var setting = dialect.Lazy(`^[A-Za-z][A-Za-z0-9_,-]*[.:/][A-Za-z0-9_.,:/=-]*[A-Za-z0-9_]$`)

// parseLine reads "name [target] left | right".
func parseLine(line string) *Difference {
	before, after, ok := strings.Cut(line, "|")
	words, right := strings.Fields(before), strings.Fields(after)
	if !ok || len(words) < 2 || len(words) > 3 || len(right) != 1 || right[0] == "|" || strings.Contains(right[0], "|") || !setting.MatchString(words[0]) {
		return nil
	}
	if !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "\t") || after == "" || after[0] != ' ' && after[0] != '\t' {
		return nil
	}
	d := &Difference{Name: words[0], Left: words[len(words)-1], Right: right[0], raw: line}
	if len(words) == 3 {
		d.Target = words[1]
	}
	return d
}

// Format prints an output.
func Format(d *Diff) []byte {
	return d.layout.Print(len(d.Differences), func(i int) string {
		x := d.Differences[i]
		if was := parseLine(x.raw); was != nil && was.Name == x.Name && was.Target == x.Target && was.Left == x.Left && was.Right == x.Right {
			return x.paint.On(x.raw)
		}
		line := x.Name + " "
		if x.Target != "" {
			line += x.Target + " "
		}
		return x.paint.On(line + x.Left + " | " + x.Right)
	})
}
