package wire

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vishvananda/netlink"

	"seaworthy/lab/topology"
)

// devices lists what the kernel has in every namespace, but the loopback.
func devices(t *testing.T, n *Network) []string {
	t.Helper()
	var out []string
	for ns, s := range n.netns {
		links, err := s.nl.LinkList()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range links {
			if l.Type() != "" && l.Attrs().Name != "lo" {
				out = append(out, ns+" "+l.Attrs().Name+" "+l.Type())
			}
		}
	}
	slices.Sort(out)
	return out
}

func with(t *testing.T, top *topology.Topology, node, base string, tag int) (*topology.Topology, string) {
	t.Helper()
	next, name, err := top.WithVLAN(node, base, tag)
	if err != nil {
		t.Fatal(err)
	}
	return next, name
}

// follow gives a network another topology and its state.
func follow(t *testing.T, n *Network, top *topology.Topology) {
	t.Helper()
	if err := n.Follow(t.Context(), top); err != nil {
		t.Fatal(err)
	}
	if err := n.Apply(t.Context(), plain(t, top)); err != nil {
		t.Fatal(err)
	}
	want, err := BuildLayout(top)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, n.Layout); d != "" {
		t.Errorf("layout (-want +got):\n%s", d)
	}
}

func TestFollow(t *testing.T) {
	for _, x := range []struct {
		node, base string
		tag        int
		made       string // one of the new devices
	}{
		{"lpar1", "ent0", 20, "lpar1 en2 veth"},              // virtual
		{"lpar4", "ent0", 30, "lpar4 en2 veth"},              // a port with a VLAN
		{"lpar3", "ent2", 30, "lpar3 en5.in veth"},           // an EtherChannel
		{"vios1", "ent5", 10, "vios1 en1 bridge"},            // an SEA that bridges it: renamed
		{"vios1", "ent5", 30, "sw:sw1 vios1.ent0.30 veth"},   // an SEA that does not
		{"lpar4", "ent0", 4094, "sw:sw1 switch.4094 bridge"}, // a VLAN that is nowhere else
	} {
		n, _ := built(t, "vlans")
		top, err := topology.Load(t.Context(), "vlans")
		if err != nil {
			t.Fatal(err)
		}
		before := devices(t, n)
		next, name := with(t, top, x.node, x.base, x.tag)
		follow(t, n, next)
		after := devices(t, n)
		if !slices.Contains(after, x.made) {
			t.Errorf("VLAN %d on %s %s: %s is not among %s", x.tag, x.node, x.base, x.made, strings.Join(after, ", "))
		}
		// A second one beside it, and both away again.
		more, second := with(t, next, x.node, x.base, 77)
		follow(t, n, more)
		for _, gone := range []string{name, second} {
			more = more.WithoutVLAN(x.node, gone)
			follow(t, n, more)
		}
		if d := cmp.Diff(before, devices(t, n)); d != "" {
			t.Errorf("VLAN %d on %s %s made and removed (-before +after):\n%s", x.tag, x.node, x.base, d)
		}
	}
}

// The first VLAN of a port makes its line, the last takes it away.
func TestFollowLine(t *testing.T) {
	n, st := built(t, "two-systems")
	top, err := topology.Load(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	next, name := with(t, top, "vios1", "ent5", 20)
	follow(t, n, next)
	if err := n.OwnRates(); err != nil {
		t.Skip(err)
	}
	if got := rateOf(t, n, End{"vios1", "en0.line"}); got != 10e9 {
		t.Errorf("the line: got %d bit/s, want 10 Gbit/s", got)
	}
	if got := rateOf(t, n, End{"vios1", "en0"}); got != 0 {
		t.Errorf("a VLAN instance of it: got %d bit/s of its own, want none", got)
	}
	follow(t, n, next.WithoutVLAN("vios1", name))
	check(t, n, st)
}

// What fails half of the way is led back.
func TestFollowFails(t *testing.T) {
	n, st := built(t, "vlans")
	top, err := topology.Load(t.Context(), "vlans")
	if err != nil {
		t.Fatal(err)
	}
	next, _ := with(t, top, "lpar3", "ent2", 30)
	before := devices(t, n)
	// The name of one of the last new devices is taken.
	attrs := netlink.NewLinkAttrs()
	attrs.Name = "switch.30"
	obstacle := &netlink.Bridge{LinkAttrs: attrs}
	for _, taken := range []End{{"sw:sw1", "switch.30"}, {"lpar3", "en1.30"}, {"lpar3", "en5.in"}} {
		obstacle.Name = taken.Device
		s := n.netns[taken.Namespace]
		if err := s.nl.LinkAdd(obstacle); err != nil {
			t.Fatal(err)
		}
		if err := n.Follow(t.Context(), next); err == nil || !strings.Contains(err.Error(), "file exists") {
			t.Errorf("%v is taken: got %v, want that the file exists", taken, err)
		}
		if err := s.nl.LinkDel(obstacle); err != nil {
			t.Fatal(err)
		}
		if err := n.Follow(t.Context(), top); err != nil {
			t.Fatalf("back: %v", err)
		}
		if d := cmp.Diff(before, devices(t, n)); d != "" {
			t.Errorf("%v was taken (-before +after):\n%s", taken, d)
		}
	}
	if err := n.Apply(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	check(t, n, st)
	// And then it can be done.
	follow(t, n, next)
}
