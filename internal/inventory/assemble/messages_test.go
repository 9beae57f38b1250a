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

// The level of what sets up hybrid networks; that it is not installed says nothing of a level.
func TestLevelOfPowerpcUtils(t *testing.T) {
	for printed, want := range map[string]string{
		"powerpc-utils-1.3.11-3.el9.ppc64le\n": "1.3.11", "powerpc-utils\t1.3.13-1\n": "1.3.13", "package powerpc-utils is not installed\n": "",
	} {
		h := host(model.Linux, text("uname-a", "", "Linux p9 6.1.0 #1 SMP ppc64le GNU/Linux\n"), text("powerpc-utils", "", printed))
		if h.Tools != want || len(h.Gaps) > 0 {
			t.Errorf("%q: got %q, gaps %v, want %q", printed, h.Tools, h.Gaps, want)
		}
	}
}
