package rpc

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

// Print writes what a command answers.
func (c *Call) Print(text []byte) error {
	_, err := c.Stdout.Write(text)
	return err
}
