package supervisor

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// reaper collects every dead process, as the first process of a PID namespace
// must: those it started, for whoever waits for them, and orphans.
type reaper struct {
	mu      sync.Mutex
	waiting map[int]chan<- syscall.WaitStatus
}

func newReaper() *reaper {
	r := &reaper{waiting: map[int]chan<- syscall.WaitStatus{}}
	child := make(chan os.Signal, 1)
	signal.Notify(child, syscall.SIGCHLD)
	go func() {
		for range child {
			r.collect()
		}
	}()
	return r
}

// start forks a process and gives its id and, later, its end. The lock keeps
// collect from meeting the process before it is known.
func (r *reaper) start(fork func() (int, error)) (int, <-chan syscall.WaitStatus, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pid, err := fork()
	if err != nil {
		return 0, nil, err
	}
	end := make(chan syscall.WaitStatus, 1)
	r.waiting[pid] = end
	return pid, end, nil
}

func (r *reaper) collect() {
	for {
		// Under the lock: a collected id may be given to a new process at once.
		r.mu.Lock()
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if pid > 0 && r.waiting[pid] != nil {
			r.waiting[pid] <- status
			delete(r.waiting, pid)
		}
		r.mu.Unlock()
		if err == syscall.EINTR {
			continue
		}
		if pid <= 0 {
			return
		}
	}
}

// kill signals a process group unless its leader has been collected: its id
// may belong to another process by then.
func (r *reaper) kill(pid int, sig syscall.Signal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting[pid] != nil {
		_ = syscall.Kill(-pid, sig)
	}
}
