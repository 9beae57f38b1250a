package whole

import "golang.org/x/sys/unix"

// dontFragment sets DF whatever path MTU the kernel remembers.
func dontFragment(fd int) error {
	return unix.SetsockoptInt(fd, unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, unix.IP_PMTUDISC_PROBE)
}
