package plan_test

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

// Jumbo frames from the port to the clients: what needs the SEAs' reboot
// first, what needs jumbo SEAs after it.
func TestAfterReboot(t *testing.T) {
	f := behind(t, "5.14.0")
	other := *f.Host("lpar1")
	other.Name = "lpar2"
	en0 := *other.Elements["en0"]
	en0.Addrs, en0.Attrs = prefixes(t, "10.0.0.2/24"), attrs("mtu_bypass=on", "mtu=9000", "state=up")
	other.Elements = map[string]*model.Element{"ent0": other.Elements["ent0"], "en0": &en0}
	f.Hosts = append(f.Hosts, &other)
	p := simulate(t, f, nil,
		"lpar1:en0:mtu=9000", "vios1:ent5:jumbo_frames=yes", "vios2:ent5:jumbo_frames=yes",
		"vios1:ent0:jumbo_frames=yes", "vios2:ent0:jumbo_frames=yes")
	if d := cmp.Diff([]string{"switch-ports", "vios2:ent0:jumbo_frames", "vios2:ent5:jumbo_frames", "vios1:ent0:jumbo_frames",
		"vios1:ent5:jumbo_frames"}, ids(p)); d != "" || len(p.Refused) > 0 {
		t.Fatalf("before the reboots (-want +got), refused %+v:\n%s", p.Refused, d)
	}
	if got := p.Reboots(); !slices.Equal(got, []string{"vios2", "vios1"}) {
		t.Errorf("reboots: got %v, want the backup first", got)
	}
	if p.Next == nil {
		t.Fatal("nothing is planned for the time after the reboots")
	}
	if got := ids(p.Next); !slices.Equal(got, []string{"lpar1:en0:mtu"}) {
		t.Errorf("after the reboots: got %v", got)
	}
	if got := p.AllHosts(); !slices.Equal(got, []string{"lpar1", "vios1", "vios2"}) {
		t.Errorf("hosts: got %v", got)
	}
	var facts []string
	for _, c := range p.Next.Conditions {
		facts = append(facts, c.String())
	}
	if !slices.Contains(facts, "vios1:ent0 jumbo_frames is yes") {
		t.Errorf("conditions of what comes after: got %v, want that vios1 was rebooted", facts)
	}
	want := []plan.Proof{{Host: "lpar1", Element: "en0", Login: task.Login{Platform: model.AIX},
		Peer: model.Ref{Host: "lpar2", Element: "en0"}, To: netip.MustParseAddr("10.0.0.2"), Bytes: 9000,
		Command: "ping -n -c 2 -w 2 -s 8972 10.0.0.2", Via: []string{"vios1", "vios2"}}}
	if d := cmp.Diff(want, p.Next.Proofs, cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); d != "" {
		t.Errorf("proofs (-want +got):\n%s", d)
	}
}
