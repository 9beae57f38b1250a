package supervisor

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/procfs"

	"seaworthy/lab/rootfs"
	"seaworthy/lab/sshd"
)

// clockTick is the unit of times in /proc/PID/stat, the same on every Linux
// that Go runs on.
const clockTick = time.Second / 100

// processes lists the processes in a node's network namespace, its first among them.
func (s *LabState) processes(name string) ([]int, error) {
	if !ownProc() {
		return nil, fmt.Errorf("%s: this machine does not let the lab see its processes", name)
	}
	fd, err := s.Network.FD(name)
	if err != nil {
		return nil, err
	}
	want, err := os.Stat(fmt.Sprintf("/proc/self/fd/%d", fd))
	if err != nil {
		return nil, err
	}
	all, err := procfs.AllProcs()
	var pids []int
	for _, p := range all {
		has, err := os.Stat(fmt.Sprintf("/proc/%d/ns/net", p.PID))
		if err == nil && os.SameFile(want, has) && p.PID != os.Getpid() {
			pids = append(pids, p.PID)
		}
	}
	return pids, err
}

// Reboot ends every process of a node but its first, which then enters its run level.
func (s *LabState) Reboot(ctx context.Context, name string) error {
	p, err := s.node(name)
	if err != nil {
		return err
	}
	p.restart.Lock()
	defer p.restart.Unlock()
	for left := -1; left != 0 && ctx.Err() == nil; { // what forks meanwhile is met by the next round
		pids, err := s.processes(name)
		if err != nil {
			return err
		}
		left = 0
		for _, pid := range pids {
			if pid != p.init && syscall.Kill(pid, syscall.SIGKILL) == nil {
				left++
			}
		}
	}
	proc, err := p.startNow(s.reaper, s.Behaviour, sshd.Start{User: "root", Line: enter})
	if err != nil {
		return err
	}
	go proc.discard() // a shell that prints first, as a .kshrc has it, would be ended by a closed pipe
	return ctx.Err()
}

// enter is the script of init at run level 2: it runs the entries of its table in their order,
// those of wait to their end.
const enter = `while IFS=: read -r id level action command; do
case $level:$action in
*2*:wait) sh -c "$command" ;;
*2*:once) sh -c "$command" & ;;
esac
done <` + rootfs.InittabFile + ` >/dev/null 2>&1`

// CPU is the processor time that the node's processes, living and dead, have
// used in their own code and in the kernel; ok is false if that is not known
// here. The first process of a node collects its orphans, and has their time.
// A kernel that does not account interrupts apart (see
// CONFIG_IRQ_TIME_ACCOUNTING) charges them to the process that they hit.
func (s *LabState) CPU(name string) (user, system time.Duration, ok bool) {
	r := s.reaper
	// Under the lock no process can be among the living and the dead.
	r.mu.Lock()
	defer r.mu.Unlock()
	pids, err := s.processes(name)
	if err != nil {
		return 0, 0, false
	}
	used := r.used[name]
	for _, pid := range pids {
		p, err := procfs.NewProc(pid)
		if err != nil {
			continue // it has ended
		}
		if st, err := p.Stat(); err == nil {
			used.user += time.Duration(int(st.UTime)+st.CUTime) * clockTick
			used.system += time.Duration(int(st.STime)+st.CSTime) * clockTick
		}
	}
	return used.user, used.system, true
}

// reaper collects every dead process, as the first process of a PID namespace
// must: those it started, for their waiters, and orphans of nodes that
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
			for r.collectOne() {
			}
		}
	}()
	return r
}

// start forks a process on a node, the leader of a new session, and gives its
// id and, later, its end. The lock keeps collectOne from meeting the process
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
