package assemble

import (
	"fmt"

	"golang.org/x/sys/unix"

	"seaworthy/lab/cputime"
	"seaworthy/lab/node"
)

// nodeCPU is the account in the form that the nodes' commands ask for.
func nodeCPU(a *cputime.Account) func(string) (node.CPUTime, bool) {
	return func(name string) (node.CPUTime, bool) {
		s, whole, ok := a.Node(name)
		if s.SoftIRQ != nil {
			s.System += *s.SoftIRQ
		}
		return node.CPUTime{User: s.User, System: s.System, Processes: !whole}, ok
	}
}

// cpuFile is where a container finds its own CPU time, and where a node does.
const cpuFile = "/sys/fs/cgroup/cpu.stat"

// cpuStat is the text of a node's cpuFile, in the form of the kernel's. It
// cannot be opened where only processes are accounted: it would be too little.
func cpuStat(a *cputime.Account) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		s, whole, ok := a.Node(name)
		if !whole || !ok {
			return nil, unix.ENODATA
		}
		system := s.System + *s.SoftIRQ
		return fmt.Appendf(nil, "usage_usec %d\nuser_usec %d\nsystem_usec %d\n",
			(s.User + system).Microseconds(), s.User.Microseconds(), system.Microseconds()), nil
	}
}
