package supervisor

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// reaper collects every dead process, as the first process of a PID namespace
// must: those it started, for whoever waits for them, and orphans of nodes that
// have no first process of their own.
type reaper struct {
	mu      sync.Mutex
	waiting map[int]waiter
	used    map[string]used // of the node's dead
}

type waiter struct {
	node string
	end  chan<- syscall.WaitStatus
}

// used is CPU time.
type used struct{ user, system time.Duration }

func newReaper() *reaper {
	r := &reaper{waiting: map[int]waiter{}, used: map[string]used{}}
	child := make(chan os.Signal, 1)
	signal.Notify(child, syscall.SIGCHLD)
	go func() {
		for range child {
			r.collect()
		}
	}()
	return r
}

// start forks a process on a node, the leader of a new session, and gives its
// id and, later, its end. The lock keeps collect from meeting the process
// before it is known.
func (r *reaper) start(node string, fork func() (int, error)) (int, <-chan syscall.WaitStatus, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pid, err := fork()
	if err != nil {
		return 0, nil, err
	}
	end := make(chan syscall.WaitStatus, 1)
	r.waiting[pid] = waiter{node, end}
	return pid, end, nil
}

func (r *reaper) collect() {
	for r.collectOne() {
	}
}

// collectOne collects under the lock: an id that is free may be given to a new
// process at once.
func (r *reaper) collectOne() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	var status syscall.WaitStatus
	var u syscall.Rusage
	pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, &u)
	if err != nil || pid == 0 {
		return err == syscall.EINTR
	}
	if w, ok := r.waiting[pid]; ok {
		had := r.used[w.node]
		r.used[w.node] = used{had.user + time.Duration(u.Utime.Nano()), had.system + time.Duration(u.Stime.Nano())}
		w.end <- status
		delete(r.waiting, pid)
	}
	return true
}

// kill signals a process group unless its leader has been collected: its id
// may belong to another process by then.
func (r *reaper) kill(pid int, sig syscall.Signal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.waiting[pid]; ok {
		_ = syscall.Kill(-pid, sig)
	}
}
