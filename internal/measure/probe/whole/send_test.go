package whole

import (
	"net"
	"net/netip"
	"testing"
)

// Loopback has an MTU of 65536, and answers for a port without a listener.
func TestSend(t *testing.T) {
	lo := netip.MustParseAddr("127.0.0.1")
	for _, size := range []int{headers + 1, 1500, 9000, 65535} {
		if got, err := Send(t.Context(), lo, size); err != nil || got != Passed {
			t.Errorf("%d bytes: got %s, %v", size, got, err)
		}
	}
	for _, tc := range []struct {
		to   netip.Addr
		size int
	}{{lo, headers}, {lo, 65536}, {netip.MustParseAddr("::1"), 1500}} {
		if got, err := Send(t.Context(), tc.to, tc.size); err == nil {
			t.Errorf("%d bytes to %s: got %s, want an error", tc.size, tc.to, got)
		}
	}
}

// Anyone who takes the packet without a word shows nothing.
func TestSilence(t *testing.T) {
	c, err := net.ListenPacket("udp4", netip.AddrPortFrom(netip.MustParseAddr("127.0.0.9"), port).String())
	if err != nil {
		t.Skip(err)
	}
	defer c.Close()
	if got, err := Send(t.Context(), netip.MustParseAddr("127.0.0.9"), 1500); err != nil || got != Lost {
		t.Errorf("got %s, %v, want lost", got, err)
	}
}
