package supervisor

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"seaworthy/lab/rootfs"
)

// What ps shows of a node's first process, on AIX and on Linux.
const (
	initName      = "/etc/init"
	initNameLinux = "/sbin/init"
)

// boot makes the node's PID namespace and starts its first process there, while the
// thread still may give it every capability. It is called on the thread.
func (p *nodeThread) boot(r *reaper) error {
	if err := unix.Unshare(unix.CLONE_NEWPID); err != nil {
		return fmt.Errorf("make PID namespace: %w", err)
	}
	var w *os.File
	var err error
	if p.ready, w, err = os.Pipe(); err != nil {
		return err
	}
	defer w.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	name := initName
	if p.linux {
		name = initNameLinux
	}
	p.init, _, err = r.start(p.name, func() (int, error) {
		return syscall.ForkExec(rootfs.Program, []string{name}, &syscall.ProcAttr{
			Dir: "/", Env: []string{"GOMAXPROCS=1"}, Files: []uintptr{null.Fd(), null.Fd(), null.Fd(), w.Fd()},
			Sys: &syscall.SysProcAttr{Setsid: true},
		})
	})
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	return nil
}

// booted waits until the node's first process is ready.
func (p *nodeThread) booted() error {
	if p.ready == nil {
		return nil
	}
	defer p.ready.Close()
	said, err := io.ReadAll(p.ready)
	if err == nil && string(said) != "ready" {
		err = fmt.Errorf("did not begin: %s", said)
	}
	if err != nil {
		return fmt.Errorf("%s: first process: %w", p.name, err)
	}
	return nil
}

// Init is the main function of a node's first process. It mounts the node's /proc
// and collects orphans. No signal from the node ends it, and nobody there may trace
// it: it has more rights than the node's root. It ends with the lab.
func Init() int {
	ready := os.NewFile(3, "ready")
	signals := make(chan os.Signal, 1)
	signal.Notify(signals)
	bound := func() error { return nil } // of the node's processes, where the kernel can
	if kernelSince(6, 14) {
		bound = func() error { return setPIDMax(nodeProcesses) }
	}
	err := errors.Join(rootfs.NodeProc(bound, os.Args[0] == initNameLinux), unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))
	if err != nil {
		fmt.Fprint(ready, err)
		return 1
	}
	fmt.Fprint(ready, "ready")
	ready.Close()
	for range signals {
		for {
			pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			if err != syscall.EINTR && (err != nil || pid == 0) {
				break
			}
		}
	}
	return 0
}
