// Package uname reads uname -a of Linux: the node's name is second, the
// kernel's release third.
package uname

import (
	"strings"

	"seaworthy/dialect"
)

// Names is what uname -a said.
type Names struct {
	dialect.Report
	Node    string `json:"node"`
	Release string `json:"release"` // 4.18.0-553.el8_10.ppc64le
}

// Parse reads uname -a. Lines that follow the first are not understood.
func Parse(text []byte) (*Names, error) {
	n := &Names{}
	for l := range strings.Lines(string(text)) {
		n.Lines++
		words := strings.Fields(l)
		switch {
		case len(words) == 0:
		case n.Node == "" && len(words) > 2 && words[0] == "Linux":
			n.Node, n.Release = words[1], words[2]
		default:
			n.NotUnderstood(dialect.Line{Number: n.Lines, Text: strings.TrimRight(l, "\r\n")})
		}
	}
	if n.Node == "" {
		return nil, dialect.ErrNotRecognised
	}
	return n, nil
}
