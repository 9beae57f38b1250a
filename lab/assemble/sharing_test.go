package assemble_test

import (
	"strings"
	"testing"

	"seaworthy/lab/fault"
	"seaworthy/lab/topology"
)

// Load sharing with tagged VLANs: each VIOS bridges the VLANs of one trunk
// adapter, and all of them while the other is down.
func TestSharingTagged(t *testing.T) {
	t.Parallel()
	l := generated(t,
		topology.Spec{Name: "sharing", Systems: 2, LPARs: 4, VIOSes: 3, VLANs: 2, HA: "sharing", Ports: 1, Rate: "10G", MTU: 1500})
	// lpar1 is in VLAN 1 and lpar2 in VLAN 2, behind the pair; lpar3 and lpar4
	// are in the same VLANs behind vios2.
	both := func(what string) {
		t.Helper()
		for from, to := range map[string]string{"lpar1": "10.1.0.12", "lpar2": "10.2.0.12"} {
			if n := ping(t, l, from, to, "-c 2 -i 0.2 -w 3"); n != 0 {
				t.Errorf("%s: %s to %s: %d of 2 pings lost", what, from, to, n)
			}
		}
	}
	both("both VIOSes up")
	for v, want := range map[string]string{"vios1a": "VID shared: 1\n", "vios1b": "VID shared: 2 3001\n"} {
		if got := must(t, l, v, "entstat -d $(lsdev -C -t sea -F name)"); !strings.Contains(got, want) {
			t.Errorf("%s shares the VLANs: got\n%s\nwant %q", v, got, want)
		}
	}
	for _, v := range []string{"vios1a", "vios1b"} {
		breakIt(t, l, fault.Fault{Kind: "crash", Target: v})
		both(v + " down")
		mend(t, l, fault.Fault{})
		both(v + " back")
	}
	a := breakIt(t, l, fault.Fault{Kind: "control-channel", Target: "cec1"})
	if said := strings.Join(a.Warnings, "\n"); !strings.Contains(said, "both bridge VLAN 1 ") || !strings.Contains(said, "VLANs 2, 30") {
		t.Errorf("without a control channel: got warnings %q, want the guard's for each trunk", said)
	}
	both("behind the guard")
}
