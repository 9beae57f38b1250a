package supervisor

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

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
