package supervisor

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"seaworthy/lab/node"
	"seaworthy/lab/sshd"
)

// Shell runs a root shell on the call's node with the call's streams, and
// gives its exit status. It is what oem_setup_env starts.
func (s *Site) Shell(ctx context.Context, c *node.Call) int {
	p := s.nodes[c.Node]
	if p == nil {
		fmt.Fprintf(c.Stderr, "%s: no such node in this lab\n", c.Node)
		return 1
	}
	proc, err := p.start(s.reaper, sshd.Start{User: "root", Line: "exec sh"})
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

// Reboot ends every process of a node.
func (s *Site) Reboot(ctx context.Context, name string) error {
	if s.nodes[name] == nil {
		return fmt.Errorf("%s: no such node in this lab", name)
	}
	pids, err := s.processes(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return ctx.Err()
}

// processes lists the processes in a node's network namespace.
func (s *Site) processes(name string) ([]int, error) {
	fd, err := s.Network.FD(name)
	if err != nil {
		return nil, err
	}
	want, err := os.Stat(fmt.Sprintf("/proc/self/fd/%d", fd))
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		has, err := os.Stat("/proc/" + e.Name() + "/ns/net")
		if err == nil && os.SameFile(want, has) {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// ReadFile reads a file below /proc/net or /proc/sys/net as the node has it.
func (s *Site) ReadFile(name, path string) ([]byte, error) {
	return s.Network.ReadFile(name, strings.TrimSpace(path))
}
