package sock

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// tcpiTimestamps is TCPI_OPT_TIMESTAMPS of linux/tcp.h.
const tcpiTimestamps = 1

func (c *Conn) tcp() TCPState {
	var s TCPState
	if name, err := unix.GetsockoptString(c.fd, unix.IPPROTO_TCP, unix.TCP_CONGESTION); err == nil {
		s.Congestion = strings.TrimRight(name, "\x00")
	}
	i, err := unix.GetsockoptTCPInfo(c.fd, unix.IPPROTO_TCP, unix.TCP_INFO)
	if err != nil {
		return s
	}
	s.Retransmits, s.RTTMicros, s.Window = new(uint64(i.Total_retrans)), new(uint64(i.Rtt)), new(uint64(i.Snd_cwnd))
	// The kernel starts with all ones until it has a sample.
	if least := uint64(i.Min_rtt); least != 0 && least != 1<<32-1 {
		s.MinRTTMicros = &least
	}
	s.Timestamps = new(i.Options&tcpiTimestamps != 0)
	// Kernels before 4.9 leave these at zero, which then says nothing.
	if busy, peer, own := i.Busy_time, i.Rwnd_limited, i.Sndbuf_limited; busy > 0 {
		s.BusyMicros, s.PeerLimited, s.BufferLimit = &busy, &peer, &own
	}
	return s
}

// capOf names the sysctl that kept a buffer below the request.
func capOf(side string, requested int, granted *int) string {
	if granted == nil || *granted >= 2*requested {
		return ""
	}
	name := "wmem_max"
	if side == "receive" {
		name = "rmem_max"
	}
	text, err := os.ReadFile("/proc/sys/net/core/" + name)
	if err != nil {
		return "net.core." + name
	}
	limit, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || limit >= requested {
		return ""
	}
	return fmt.Sprintf("net.core.%s=%d", name, limit)
}
