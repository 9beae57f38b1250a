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
