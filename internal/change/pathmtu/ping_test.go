package pathmtu_test

import (
	"testing"

	"seaworthy/internal/change/pathmtu"
)

func TestComplaint(t *testing.T) {
	for _, c := range []struct{ out, want string }{
		{"PING lpar2: (10.10.10.12): 56 data bytes\nping: wrote lpar2 64 chars, ret=-1\n\n1 packets transmitted, 0 packets received, 100% packet loss\n" +
			"0821-069 ping: sendto: The network is not currently available.\n", "0821-069 ping: sendto: The network is not currently available."},
		{"ping: connect: Network is unreachable\n", "ping: connect: Network is unreachable"},
		{"PING 10.0.0.9 (10.0.0.9) 56(84) bytes of data.\nFrom 10.0.0.1 icmp_seq=1 Destination Host Unreachable\n",
			"From 10.0.0.1 icmp_seq=1 Destination Host Unreachable"},
		{"1 packets transmitted, 0 packets received, 100% packet loss\n", ""},
		{"", ""},
	} {
		if got := pathmtu.Complaint(c.out); got != c.want {
			t.Errorf("%q: got %q, want %q", c.out, got, c.want)
		}
	}
}
