package wire

import (
	"testing"

	"github.com/vishvananda/netlink"
)

// After Apply every link that is on carries packets: a listing, which does not
// hurry the kernel, shows none that is still to come up.
func TestSettled(t *testing.T) {
	n, st := built(t, "two-systems")
	all := func(when string) {
		t.Helper()
		for name, s := range n.netns {
			links, err := s.nl.LinkList()
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range links {
				a := l.Attrs()
				if a.Name == "lo" {
					continue
				}
				if a.OperState != netlink.OperUp {
					t.Errorf("%s: %s %s: state is %s, want up", when, name, a.Name, a.OperState)
				}
			}
		}
	}
	all("at the start")
	for _, e := range []End{{"lpar1", "en0"}, {"vios1", "en0"}, {"vios2", "en5"}} {
		for _, up := range []bool{false, true} {
			s := st.Ends[e]
			s.Up = up
			st.Ends[e] = s
			if err := n.Apply(t.Context(), st); err != nil {
				t.Fatal(err)
			}
		}
		all(e.Namespace + " " + e.Device + " down and up")
	}
}

// A link whose far end is down never comes up: nobody waits for it.
func TestSettleFarDown(t *testing.T) {
	n, st := built(t, "dedicated")
	near := End{"lpar1", "en0"}
	far, ok := n.Far(near)
	if !ok {
		t.Fatalf("%v has no far end", near)
	}
	for _, up := range []bool{false, true} {
		for _, e := range []End{far, near} {
			s := st.Ends[e]
			s.Up = up || e == near
			st.Ends[e] = s
		}
		if err := n.Apply(t.Context(), st); err != nil {
			t.Fatal(err)
		}
		if got := n.linkIsUp(near); !got {
			t.Errorf("%v, far end up=%v: no link after Apply", near, up)
		}
	}
}
