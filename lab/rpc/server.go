package rpc

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"sync"
)

// Serve answers the calls of one node until the listener is closed.
func Serve(ctx context.Context, l net.Listener, name string, commands map[string]Command) {
	for {
		s, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer s.Close()
			serve(ctx, s, name, commands)
		}()
	}
}

func serve(ctx context.Context, s io.ReadWriter, name string, commands map[string]Command) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &conn{rw: s}
	k, body, err := c.receive()
	var r Request
	if err != nil || k != request || json.Unmarshal(body, &r) != nil || len(r.Argv) == 0 {
		return
	}
	in, feed := io.Pipe()
	defer in.Close()
	go func() {
		defer cancel() // the caller is gone
		for {
			k, body, err := c.receive()
			if err != nil {
				feed.CloseWithError(io.ErrUnexpectedEOF)
				return
			}
			switch k {
			case input:
				_, _ = feed.Write(body) // a command that has ended reads no more
			case inputEnd:
				feed.Close()
			}
		}
	}()
	stderr := writer{c, errors}
	status := 127
	if cmd := commands[r.Argv[0]]; cmd == nil {
		fmt.Fprintf(stderr, "%s: not a command of this lab\n", r.Argv[0])
	} else {
		status = run(ctx, cmd, &Call{
			Node: name, User: r.User, Argv: r.Argv, VIOS: r.VIOS,
			Stdin: &asking{c: c, r: in}, Stdout: writer{c, output}, Stderr: stderr,
		})
	}
	_ = c.send(exit, binary.BigEndian.AppendUint32(nil, uint32(int32(status))))
}

// run keeps a command's fault from ending the lab.
func run(ctx context.Context, cmd Command, c *Call) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(c.Stderr, "%s: fault in the lab: %v\n%s", c.Argv[0], p, debug.Stack())
			status = 70
		}
	}()
	return cmd(ctx, c)
}

// asking is the stdin of a call: the first read asks the caller for it.
type asking struct {
	c    *conn
	r    io.Reader
	once sync.Once
}

func (a *asking) Read(p []byte) (int, error) {
	a.once.Do(func() { _ = a.c.send(needInput, nil) })
	return a.r.Read(p)
}

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
