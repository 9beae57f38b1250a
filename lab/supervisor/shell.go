package supervisor

import (
	"context"
	"fmt"

	"golang.org/x/sys/unix"

	"seaworthy/lab/node"
	"seaworthy/lab/sshd"
)

// Shell runs a root shell on the call's node with the call's streams, and
// gives its exit status. oem_setup_env starts it.
func (s *LabState) Shell(ctx context.Context, c *node.Call) int {
	return s.run(ctx, c, sshd.Start{User: "root", Line: "exec sh"})
}

// Padmin is Shell for one line as padmin.
func (s *LabState) Padmin(ctx context.Context, c *node.Call, line string) int {
	return s.run(ctx, c, sshd.Start{User: "padmin", Line: line})
}

func (s *LabState) run(ctx context.Context, c *node.Call, start sshd.Start) int {
	p, err := s.node(c.Node)
	var proc *process
	if err == nil {
		proc, err = p.start(s.reaper, s.Behaviour, start)
	}
	if err != nil {
		fmt.Fprintln(c.Stderr, err)
		return 1
	}
	defer proc.Close()
	defer context.AfterFunc(ctx, proc.Close)()
	return sshd.Carry(proc, c.Stdin, c.Stdout, c.Stderr).Exit
}

// Hostname is the running name of a node.
func (s *LabState) Hostname(host string) (name string, err error) {
	err = s.on(host, func() error {
		var u unix.Utsname
		err := unix.Uname(&u)
		name = unix.ByteSliceToString(u.Nodename[:])
		return err
	})
	return name, err
}

// SetHostname gives a node another name, for its kernel alone.
func (s *LabState) SetHostname(host, name string) error {
	return s.on(host, func() error { return unix.Sethostname([]byte(name)) })
}

// on runs f on a node's thread.
func (s *LabState) on(host string, f func() error) error {
	p, err := s.node(host)
	if err != nil {
		return err
	}
	if err := p.do(f); err != nil {
		return fmt.Errorf("%s: host name: %w", host, err)
	}
	return nil
}
