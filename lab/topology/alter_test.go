package topology

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var addresses = cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})

func TestWithVLAN(t *testing.T) {
	was, err := Load(t.Context(), "vlans")
	if err != nil {
		t.Fatal(err)
	}
	before, err := Load(t.Context(), "vlans")
	if err != nil {
		t.Fatal(err)
	}
	next, name, err := was.WithVLAN("vios1", "ent5", 10)
	if err != nil || name != "ent1" {
		t.Fatalf("got %s, %v, want the first free name ent1", name, err)
	}
	vios := &next.Systems[0].Nodes[2]
	want := Adapter{Name: "ent1", Kind: VLAN, MAC: vios.Adapter("ent5").MAC, Base: "ent5", Tag: 10}
	if d := cmp.Diff(&want, vios.Adapter("ent1")); d != "" {
		t.Errorf("the new device (-want +got):\n%s", d)
	}
	var order []string
	for _, a := range vios.Adapters {
		order = append(order, a.Name)
	}
	if got := strings.Join(order, " "); got != "ent0 ent1 ent4 ent5 ent6" {
		t.Errorf("order: got %s", got)
	}
	if d := cmp.Diff(before, was, addresses); d != "" {
		t.Errorf("the topology that was has changed (-was +is):\n%s", d)
	}
	back := next.WithoutVLAN("vios1", "ent1")
	if d := cmp.Diff(before, back, addresses); d != "" {
		t.Errorf("made and removed (-was +is):\n%s", d)
	}
	// A device of the file goes with its address.
	less := was.WithoutVLAN("lpar1", "ent1")
	if n := less.Systems[0].Nodes[0]; len(n.Adapters) != 1 || len(n.Interfaces) != 1 {
		t.Errorf("lpar1 without ent1: got %+v", n)
	}
}

func TestWithVLANRefuses(t *testing.T) {
	top, err := Load(t.Context(), "vlans")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		node, base string
		tag        int
		want       string
	}{
		{"lpar1", "ent7", 5, "ent7 is not an adapter of lpar1"},
		{"lpar1", "ent1", 5, "VLAN device itself"},
		{"lpar1", "ent0", 10, "belongs to ent1 already"},
		{"lpar3", "ent1", 5, "belongs to ent2"},
		{"vios1", "ent4", 5, "belongs to ent5"},
	} {
		if _, name, err := top.WithVLAN(x.node, x.base, x.tag); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("VLAN %d on %s %s: got %s, %v, want an error with %q", x.tag, x.node, x.base, name, err, x.want)
		}
	}
}
