package assemble_test

import (
	"testing"

	"seaworthy/internal/inventory/model"
)

// The log of a kernel is counted by kinds of message; one without any has none, and a host
// without a log has no count.
func TestKernelLog(t *testing.T) {
	const uname = "Linux web 6.1.0-18-amd64 #1 SMP x86_64 GNU/Linux\n"
	for _, c := range []struct {
		name, log string
		fact      string
		want      float64
	}{
		{"table of connections", "[ 1.5] nf_conntrack: nf_conntrack: table full, dropping packet\n[ 2.5] other\n[ 3.5] nf_conntrack: table full, dropping packet\n",
			"conntrack_full_messages", 2},
		{"a hung port", "Jan  2 03:04:05 web kernel: ixgbe 0000:01:00.0 eth7: Detected Tx Unit Hang\n", "transmit_hang_messages", 1},
		{"a queue that timed out", "[ 77.1] NETDEV WATCHDOG: eth0 (tg3): transmit queue 2 timed out\n", "transmit_hang_messages", 1},
		{"nothing of the kind", "[ 1.5] eth0: link up\n", "transmit_hang_messages", 0},
	} {
		h := host(model.Linux, text("uname-a", "", uname), text("dmesg", "", c.log))
		got, ok := h.Figures[c.fact]
		if !ok || got.Value != c.want {
			t.Errorf("%s: got %v %v, want %v", c.name, got, ok, c.want)
		}
	}
	if h := host(model.Linux, text("uname-a", "", uname)); len(h.Figures) > 0 {
		t.Errorf("no log: got %v, want nothing", h.Figures)
	}
}
