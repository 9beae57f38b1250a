// Package ioslevel reads the level of a VIOS: 3.1.4.10, on old
// levels with the name of a fix pack behind it (1.5.2.1-FP-11.1).
package ioslevel

import (
	"strings"

	"seaworthy/internal/parse"
)

// Level is the output of ioslevel.
type Level struct {
	parse.Report
	Parts []int  `json:"parts,omitempty"` // 3, 1, 4, 10; none if the text does not say
	Fix   string `json:"fix,omitempty"`   // FP-11.1
}

var shape = parse.Lazy(`^(\d{1,2})\.(\d{1,2})\.(\d{1,2})\.(\d{1,2})(?:-([\w.-]+))?$`)

// Parse reads what ioslevel prints; parse.ErrNotRecognised if there is no
// level and no message in it.
func Parse(text []byte) (*Level, error) {
	l := &Level{}
	l.Read(text, func(line parse.Line) bool {
		parts := make([]int, 4)
		ok := l.Parts == nil && shape.Scan(strings.TrimSpace(line.Text), &parts[0], &parts[1], &parts[2], &parts[3], &l.Fix)
		if ok {
			l.Parts = parts
		}
		return ok
	})
	return parse.Recognised(l, len(l.Parts)+l.Messages > 0)
}
