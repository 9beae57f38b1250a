package guest_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"seaworthy/internal/test/draw"
	"seaworthy/lab"
)

// A stock host has no findings, and one with a setting spoilt has that one.
func TestPOWERPartition(t *testing.T) {
	draw.Rarely(t, 3)
	h := boot(t, "pseries")
	h.tool(0, "audit", "pseries", "--no-ping", "--quiet")
	h.run("ethtool -K " + h.guest.Kind.Interface + " gro off")
	if got := h.tool(2, "audit", "pseries", "--no-ping", "--quiet"); !strings.Contains(got, "R110") {
		t.Errorf("gro off: got %s, want R110", got)
	}
	counts(t, h)
	// What plan takes O2 for: another MTU closes and opens the port, whose buffers are then all given to it again.
	const added = "ethtool -S %[1]s | sed -n 's/.*replenish_add_buff_success: //p'"
	if got := h.run(fmt.Sprintf(added+"; ip link set dev %[1]s mtu 4000; ping -q -c 2 10.10.10.11 >/dev/null; "+added, h.guest.Kind.Interface)); !more(got, 256) {
		t.Errorf("buffers given to the port before and after another MTU: got %q, want at least 256 more", got)
	}
}

func more(two string, least int) bool {
	var before, after int
	_, err := fmt.Sscan(two, &before, &after)
	return err == nil && after >= before+least
}

var statistics = regexp.MustCompile(`(?m)^Packets: (\d+) +Packets: (\d+)$`)

// counts compares what the kernel's own driver counts at one port of the hypervisor switch
// with what entstat of the lab's partition says at the other.
func counts(t *testing.T, h *host) {
	const read = "cd /sys/class/net/%s/statistics && cat tx_packets rx_packets"
	guest := func() (sent, received int) {
		if _, err := fmt.Sscan(h.run(fmt.Sprintf(read, h.guest.Kind.Interface)), &sent, &received); err != nil {
			t.Fatal(err)
		}
		return sent, received
	}
	partition := func() (sent, received int) {
		var out bytes.Buffer
		if _, err := h.lab.Exec(t.Context(), "lpar1", "root", "entstat ent0", lab.Stdio{Out: &out}); err != nil {
			t.Fatal(err)
		}
		m := statistics.FindStringSubmatch(out.String())
		if m == nil {
			t.Fatalf("entstat: no packets in %s", out.String())
		}
		if _, err := fmt.Sscan(m[1]+" "+m[2], &sent, &received); err != nil {
			t.Fatal(err)
		}
		return sent, received
	}
	gs, gr := guest()
	ps, pr := partition()
	const pings = 50
	if got := h.run(fmt.Sprintf("ping -q -i 0.05 -c %d 10.10.10.11", pings)); !strings.Contains(got, " 0% packet loss") {
		t.Errorf("ping of the lab's partition: %s", got)
	}
	gs2, gr2 := guest()
	ps2, pr2 := partition()
	if gs2-gs != pr2-pr || gr2-gr != ps2-ps || gs2-gs < pings {
		t.Errorf("%d pings: the guest counts %d sent and %d received, the lab's partition %d received and %d sent",
			pings, gs2-gs, gr2-gr, pr2-pr, ps2-ps)
	}
}
