package supervisor

import (
	"context"
	"fmt"
	"os"
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
	proc.closeFiles()
	return ctx.Err()
}

// enter is what init does at run level 2: the entries of its table in their order,
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
