// Package sshd is the SSH server of a lab node: sessions with exec, shell and
// pseudo terminal, as a login on AIX gives them. It starts nothing itself; a
// Starter does that in the node's namespaces.
package sshd

import (
	"context"
	"io"
	"os"
)

// Start says what a session starts.
type Start struct {
	User     string
	Line     string   // command line for the login shell; empty: an interactive shell
	Env      []string // NAME=value, as the client sent them and the server accepts
	Terminal *Terminal
}

// Terminal of a session.
type Terminal struct {
	Type       string // TERM
	Rows, Cols uint16
}

// Process is a started command. With a terminal, Stdin and Stdout are the
// terminal and Stderr is nil.
type Process interface {
	Stdin() io.WriteCloser
	Stdout() io.Reader
	Stderr() io.Reader
	Resize(rows, cols uint16) error
	Signal(sig os.Signal)
	// Wait returns once the command itself has ended. Signal is set if one
	// killed it.
	Wait() Status
	// Close ends whatever is left of the command and frees the streams.
	Close()
}

// Status is how a command ended.
type Status struct {
	Exit   int
	Signal string // without SIG: TERM
}

// Starter starts a command on the node.
type Starter func(ctx context.Context, s Start) (Process, error)
