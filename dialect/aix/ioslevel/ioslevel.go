// Package ioslevel reads the level of a VIOS: 3.1.4.10, on old
// levels with the name of a fix pack behind it (1.5.2.1-FP-11.1).
package ioslevel

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
)

// Level is the output of ioslevel.
type Level struct {
	dialect.Report
	Parts []int  `json:"parts,omitempty"` // 3, 1, 4, 10; none if the text does not say
	Fix   string `json:"fix,omitempty"`   // FP-11.1
}

var shape = dialect.Lazy(`^(\d{1,2})\.(\d{1,2})\.(\d{1,2})\.(\d{1,2})(?:-([\w.-]+))?$`)

// Parse reads what ioslevel prints; dialect.ErrNotRecognised if there is no
// level and no message in it.
func Parse(text []byte) (*Level, error) {
	l := &Level{}
	for _, line := range dialect.Lines(text, &l.Report) {
		m := shape.FindStringSubmatch(strings.TrimSpace(line.Text))
		if m == nil || len(l.Parts) > 0 {
			l.NotUnderstood(line)
			continue
		}
		for _, p := range m[1:5] {
			n, _ := strconv.Atoi(p) // one or two digits
			l.Parts = append(l.Parts, n)
		}
		l.Fix = m[5]
	}
	if len(l.Parts)+l.Messages == 0 {
		return nil, fmt.Errorf("ioslevel: %w", dialect.ErrNotRecognised)
	}
	return l, nil
}
