// Package program holds the small program that answers on the nodes, if it was
// built before this package was (make does): each command of a node is a process, and
// that of the whole lab takes six times as long to start.
package program

import (
	"embed"
	"runtime"
)

// built has a file for each processor, node-GOARCH, that git does not keep.
//
//go:embed built
var built embed.FS

// Bytes is the program for this machine's processor; nil if it was not built.
func Bytes() []byte {
	b, err := built.ReadFile("built/node-" + runtime.GOARCH)
	if err != nil {
		return nil
	}
	return b
}
