package supervisor

import (
	"context"
	"fmt"
	"io"

	"seaworthy/lab/node"
	"seaworthy/lab/sshd"
)

// Shell runs a root shell on the call's node with the call's streams, and
// gives its exit status. It is what oem_setup_env starts.
func (s *LabState) Shell(ctx context.Context, c *node.Call) int {
	return s.run(ctx, c, sshd.Start{User: "root", Line: "exec sh"})
}

// Padmin is Shell for one line as padmin.
func (s *LabState) Padmin(ctx context.Context, c *node.Call, line string) int {
	return s.run(ctx, c, sshd.Start{User: "padmin", Line: line})
}

func (s *LabState) run(ctx context.Context, c *node.Call, start sshd.Start) int {
	p := s.nodes[c.Node]
	if p == nil {
		fmt.Fprintf(c.Stderr, "%s: no such node in this lab\n", c.Node)
		return 1
	}
	proc, err := p.start(s.reaper, s.behaviour, start)
	if err != nil {
		fmt.Fprintln(c.Stderr, err)
		return 1
	}
	defer proc.Close()
	stop := context.AfterFunc(ctx, proc.Close)
	defer stop()
	go func() {
		_, _ = io.Copy(proc.Stdin(), c.Stdin)
		proc.Stdin().Close()
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(c.Stderr, proc.Stderr())
	}()
	_, _ = io.Copy(c.Stdout, proc.Stdout())
	<-done
	return proc.Wait().Exit
}
