package supervisor

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"

	"seaworthy/lab/fusefs"
	"seaworthy/lab/quota"
	"seaworthy/lab/rootfs"
)

// nodeThread is a thread that lives in a node's namespaces. A process forked there
// is born on the node, at no cost but the fork.
type nodeThread struct {
	name  string
	linux bool
	work  chan func()

	group *os.File // control group (v2) of what starts here; nil: none
	init  int      // id of its first process, as the lab sees it; 0: it shares the lab's PID namespace
	ready *os.File // read: why that process could not begin; closed when it has

	restart sync.RWMutex // held while its processes end: nobody logs in then
}

// join makes what starts on the node members of its control group.
func (p *nodeThread) join(g *quota.Groups) error {
	tasks, dir, err := g.Enter(p.name)
	if err == nil && tasks != nil {
		err = p.do(func() error {
			_, err := tasks.WriteString("0")
			return err
		})
		tasks.Close()
	}
	p.group = dir
	if err != nil {
		return fmt.Errorf("%s: control group: %w", p.name, err)
	}
	return nil
}

// newNodeThread makes the node's mount, UTS and PID namespaces, enters its network
// namespace and its root.
func newNodeThread(base *rootfs.Base, r *reaper, netns int, n rootfs.Node, vcpus, nth int) (*nodeThread, error) {
	p := &nodeThread{name: n.Name, linux: n.Linux, work: make(chan func())}
	ready := make(chan error)
	go func() {
		runtime.LockOSThread() // for ever: the thread belongs to the node now
		err := p.enter(base, r, netns, n)
		if err == nil {
			err = keepTo(vcpus, nth)
		}
		ready <- err
		if err != nil {
			return
		}
		for f := range p.work {
			f()
		}
	}()
	if err := <-ready; err != nil {
		return nil, fmt.Errorf("%s: %w", n.Name, err)
	}
	return p, nil
}

func (p *nodeThread) enter(base *rootfs.Base, r *reaper, netns int, n rootfs.Node) error {
	if err := unix.Unshare(unix.CLONE_NEWNS | unix.CLONE_NEWUTS); err != nil {
		return fmt.Errorf("make mount and UTS namespaces: %w", err)
	}
	if err := unix.Setns(netns, unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("enter network namespace: %w", err)
	}
	if err := unix.Sethostname([]byte(n.Name)); err != nil {
		return fmt.Errorf("set host name: %w", err)
	}
	own := ownProc()
	if err := base.Enter(n); err != nil {
		return err
	}
	if own {
		if err := p.boot(r); err != nil {
			return err
		}
	}
	return limit()
}

// do runs f on the node's thread and waits for it.
func (p *nodeThread) do(f func() error) error {
	done := make(chan error, 1)
	p.work <- func() { done <- f() }
	return <-done
}

// keptCapabilities are the capabilities that processes on a node can have. What is not
// here (mounting, devices, modules, clock, raw I/O …) would reach beyond the
// node when the lab was started by root.
var keptCapabilities = map[uintptr]bool{
	unix.CAP_CHOWN: true, unix.CAP_DAC_OVERRIDE: true, unix.CAP_FOWNER: true, unix.CAP_FSETID: true,
	unix.CAP_KILL: true, unix.CAP_SETGID: true, unix.CAP_SETUID: true, unix.CAP_SETPCAP: true,
	unix.CAP_NET_BIND_SERVICE: true, unix.CAP_NET_ADMIN: true, unix.CAP_NET_RAW: true, unix.CAP_SYS_CHROOT: true,
}

// limit takes all other capabilities from what the calling thread starts, not
// from the thread.
func limit() error {
	for c := uintptr(0); c < 64; c++ {
		if keptCapabilities[c] {
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err == unix.EINVAL {
			return nil // beyond the kernel's last
		} else if err != nil {
			return fmt.Errorf("drop capability %d: %w", c, err)
		}
	}
	return nil
}

// MountStats shows a file on every node whose text is made when it is opened. Its
// folder becomes the node's own, with nothing else in it. Call it once a path,
// before the nodes are in use.
func (s *LabState) MountStats(path string, text func(node string) ([]byte, error)) error {
	files := map[string]fusefs.File{}
	for name := range s.nodes {
		files[name] = func() ([]byte, error) { return text(name) }
	}
	dir, err := os.MkdirTemp(mountPoint(s.Dir), "live") // which no node sees
	if err != nil {
		return err
	}
	if err := fusefs.Mount(dir, files); err != nil {
		return err
	}
	for name, p := range s.nodes {
		file, err := unix.OpenTree(unix.AT_FDCWD, filepath.Join(dir, name), unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
		if err == nil {
			err = p.do(func() error { return show(file, path) })
			unix.Close(file)
		}
		if err != nil {
			_ = unix.Unmount(dir, unix.MNT_DETACH)
			return fmt.Errorf("%s: show %s: %w", name, path, err)
		}
	}
	return nil
}

// show mounts a file at a path, in a folder of its own.
func show(file int, path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=755,size=64k"); err != nil {
		return err
	}
	if err := os.WriteFile(path, nil, 0o444); err != nil {
		return err
	}
	return unix.MoveMount(file, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}
