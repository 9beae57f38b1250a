// Package uname reads uname -a of Linux: the node's name is second, the
// kernel's release third.
package uname

import (
	"strings"

	"seaworthy/internal/parse"
)

// Names is what uname -a said.
type Names struct {
	parse.Report
	Node    string `json:"node"`
	Release string `json:"release"` // 4.18.0-553.el8_10.ppc64le
}

// Parse reads uname -a. Lines that follow the first are not understood.
func Parse(text []byte) (*Names, error) {
	n := &Names{}
	n.Read(text, func(l parse.Line) bool {
		words := strings.Fields(l.Text)
		if n.Node != "" || len(words) < 3 || words[0] != "Linux" {
			return false
		}
		n.Node, n.Release = words[1], words[2]
		return true
	})
	return parse.Recognised(n, n.Node != "")
}
