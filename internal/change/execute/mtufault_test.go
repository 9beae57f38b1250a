package execute

import (
	"net/netip"
	"strings"
	"testing"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
)

// Whatever a search shows, the user learns what to do next.
func TestStopped(t *testing.T) {
	p := plan.Proof{Host: "lpar1", Element: "en0", Peer: model.Ref{Host: "lpar2", Element: "en1"},
		To: netip.MustParseAddr("10.1.0.2"), Bytes: 9000, Via: []string{"vios1"}}
	for _, x := range []struct {
		name string
		way  pathmtu.Direction
		want string
	}{
		{"named", pathmtu.Direction{Verdict: pathmtu.BlackHole, Suspect: []pathmtu.Suspect{{Is: "vios1:ent5", Why: "passes 1500"},
			{Is: "vios2:ent5"}}}, "What stops them is vios1:ent5 or vios2:ent5: passes 1500"},
		{"whole now", pathmtu.Direction{Verdict: pathmtu.Whole, Wanted: 9000}, "apply again"},
		{"whole, but smaller", pathmtu.Direction{Verdict: pathmtu.Whole, Wanted: 1500},
			"look at jumbo_frames and mtu on lpar1, vios1, lpar2, and"},
		{"no answer", pathmtu.Direction{Verdict: pathmtu.NoAnswer}, "whether lpar2:en1 is up, and whether 10.1.0.2 answers"},
		{"no ping", pathmtu.Direction{Verdict: pathmtu.Unable, Probes: []pathmtu.Probe{{Said: "ping: not found"}}},
			"ping cannot be used on lpar1, so nothing is proved: ping: not found"},
		{"nobody", pathmtu.Direction{Verdict: pathmtu.BlackHole}, "look at jumbo_frames and mtu on"},
	} {
		if got := stopped(p, &x.way); !strings.Contains(got, x.want) {
			t.Errorf("%s: got %q, want %q in it", x.name, got, x.want)
		}
	}
}
