//go:build linux

// Package namespaced starts programs in namespaces of their own for tests.
package namespaced

import (
	"bufio"
	"io"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
)

// Start runs the command in new mount, network and PID namespaces until the test's end. A
// test on a machine that permits none is skipped.
func Start(t *testing.T, c *exec.Cmd) (in io.WriteCloser, out *bufio.Reader) {
	t.Helper()
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID,
		Pdeathsig: syscall.SIGKILL}
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	started, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // the kernel kills the child when the thread that made it ends
		defer close(ended)
		err := c.Start()
		started <- err
		if err == nil {
			<-t.Context().Done()
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}()
	if err := <-started; err != nil {
		t.Skipf("no namespaces on this machine: %v", err)
	}
	t.Cleanup(func() { <-ended })
	return in, bufio.NewReader(stdout)
}
