package traffic_test

import (
	"strings"
	"testing"
)

// Requests leave from the address or the interface that is asked for.
func TestPingFrom(t *testing.T) {
	if _, stderr, exit := run(t.Context(), "ping -c 1 -w 5 127.0.0.1"); exit != 0 {
		t.Skipf("this host does not answer itself: %s", stderr)
	}
	for _, line := range []string{"ping -c 1 -w 5 -S 127.0.0.1 127.0.0.1", "ping -c 1 -w 5 -o lo 127.0.0.1", "ping -c 1 -w 5 -T 1 127.0.0.1"} {
		if stdout, stderr, exit := run(t.Context(), line); exit != 0 || !strings.Contains(stdout, "1 packets received") {
			t.Errorf("%s: got exit status %d, %q %q, want an answer", line, exit, stdout, stderr)
		}
	}
	// -w begins with the last packet, not with the first.
	if stdout, _, _ := run(t.Context(), "ping -c 2 -i 0.3 -w 0.2 127.0.0.1"); !strings.Contains(stdout, "2 packets transmitted, 2 packets received") {
		t.Errorf("-w below the time between packets: got %q, want both", stdout)
	}
	for line, want := range map[string]string{
		"ping -c 1 -S 192.0.2.1 127.0.0.1": "not an address of this host",
		"ping -c 1 -o nosuch0 127.0.0.1":   "no such interface",
		"ping -c 1 -T 0 127.0.0.1":         "-T",
		"ping -c 1 -S nosuch 127.0.0.1":    "-S",
	} {
		if _, stderr, exit := run(t.Context(), line); exit != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%s: got exit status %d and %q, want 1 and %q", line, exit, stderr, want)
		}
	}
}
