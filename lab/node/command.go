// Package node is what a lab node's shell finds: the commands of AIX and VIOS,
// answered from the node's ODM and the kernel's counters.
//
// A command is either served (runs in the lab's supervisor, where every
// node's ODM is) or local (runs in the calling process, in the node's own
// namespaces: whatever sends traffic, lab/traffic).
package node

import (
	"context"
	"io"
)

// Call is one invocation of a command on a node.
type Call struct {
	Node   string   // lpar1
	User   string   // root or padmin
	Argv   []string // Argv[0] is the bare command name: lsattr
	VIOS   bool     // called in its ioscli form: by padmin, or through ioscli
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
}

// Command runs a call and returns its exit status.
type Command func(ctx context.Context, c *Call) int
