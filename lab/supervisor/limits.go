package supervisor

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// How many processes and threads there can be at once: a fork loop on a node ends
// there, and neither the machine nor the other nodes run out of them.
const (
	nodeProcesses = 2048
	labProcesses  = 4096 // without the nodes
	eachNode      = 512
)

// Processes is how many there can be in a lab.
func Processes(nodes int) int { return labProcesses + eachNode*nodes }

// pidMax is how many process ids a PID namespace has; since Linux 6.14 each has its own
// number, before that it is the machine's.
const pidMax = "/proc/sys/kernel/pid_max"

// bound limits the lab's processes. An older kernel can do so for a lab without root
// only, by the resource limit that counts within its user namespace since Linux 5.14.
func (l *lab) bound(nodes int) error {
	limit := Processes(nodes)
	switch {
	case ownProc() && kernelSince(6, 14):
		return setPIDMax(limit)
	case !initialUserNamespace() && kernelSince(5, 14):
		var now unix.Rlimit
		err := unix.Getrlimit(unix.RLIMIT_NPROC, &now)
		if err == nil {
			now.Cur = min(now.Cur, uint64(limit))
			err = unix.Setrlimit(unix.RLIMIT_NPROC, &now)
		}
		if err != nil {
			return fmt.Errorf("limit of processes: %w", err)
		}
	}
	return nil
}

// setPIDMax lowers how many process ids the calling process's PID namespace has.
func setPIDMax(limit int) error {
	if err := os.WriteFile(pidMax, []byte(strconv.Itoa(limit)), 0); err != nil {
		return fmt.Errorf("limit of processes: %w", err)
	}
	return nil
}

// ownProc: /proc shows the lab's processes, not the machine's. Machines that
// hide parts of /proc do not let the lab have its own.
func ownProc() bool {
	self, err := os.Readlink("/proc/self")
	return err == nil && self == strconv.Itoa(os.Getpid())
}

// initialUserNamespace: no identity is mapped, so the lab runs with the
// machine's own root.
func initialUserNamespace() bool {
	b, err := os.ReadFile("/proc/self/uid_map")
	var inside, outside, count uint64
	_, err2 := fmt.Sscan(string(b), &inside, &outside, &count)
	return err == nil && err2 == nil && inside == 0 && outside == 0 && count == 1<<32-1
}

func kernelSince(major, minor int) bool {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return false
	}
	return since(unix.ByteSliceToString(u.Release[:]), major, minor)
}

// since: a release such as 6.18.44-amd64 is at least major.minor.
func since(release string, major, minor int) bool {
	var a, b int
	if _, err := fmt.Sscanf(release, "%d.%d", &a, &b); err != nil {
		return false
	}
	return a > major || a == major && b >= minor
}

// keepTo lets the calling thread, and what it starts, run on as many of the
// machine's processors as the partition has virtual ones. Nodes with fewer
// begin at different processors, so that they do not crowd on one.
func keepTo(virtual, nth int) error {
	var allowed unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		return fmt.Errorf("read CPU affinity: %w", err)
	}
	chosen, limited := choose(&allowed, virtual, nth)
	if !limited {
		return nil
	}
	if err := unix.SchedSetaffinity(0, chosen); err != nil {
		return fmt.Errorf("limit to %d virtual processors: %w", virtual, err)
	}
	return nil
}

// choose takes virtual processors of the allowed ones, from the nth on and
// round; false if all of them are needed.
func choose(allowed *unix.CPUSet, virtual, nth int) (*unix.CPUSet, bool) {
	var all []int
	for cpu := 0; len(all) < allowed.Count(); cpu++ {
		if allowed.IsSet(cpu) {
			all = append(all, cpu)
		}
	}
	if virtual < 1 || virtual >= len(all) {
		return allowed, false
	}
	chosen := new(unix.CPUSet)
	for i := range virtual {
		chosen.Set(all[(nth+i)%len(all)])
	}
	return chosen, true
}
