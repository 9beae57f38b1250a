package e2e

import (
	"slices"
	"testing"

	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/test/labtest"
	"seaworthy/lab"
	"seaworthy/lab/rootfs"
)

// Nothing that is documented is broken on a node; on a strict one, what nobody has
// proved is.
func TestDoctor(t *testing.T) {
	strict := rootfs.Behaviour{Strict: true, OEMStatus: "4"}
	for _, tc := range []struct {
		name, topology string
		behaviour      rootfs.Behaviour
		broken         []string // on any node
	}{
		{"default", "dual-vios", rootfs.Behaviour{}, nil},
		{"strict", "dual-vios", strict, []string{"oem-status", "quiet-login"}},
		{"strict without VIOS", "dedicated", strict, []string{"quiet-login"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			l := labtest.Up(t, lab.Options{Topology: tc.topology, Behaviour: tc.behaviour})
			list, err := targets.Open(t.Context(), nil, targets.Options{Inventory: l.HostsFile()})
			if err != nil {
				t.Fatal(err)
			}
			var broken []string
			for _, h := range list {
				e, err := doctor.Examine(t.Context(), h, doctor.Options{})
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range e.Results {
					if r.Verdict == knowledge.Unknown {
						t.Errorf("%s: %s is unknown: %s", e.Host, r.ID, r.Why)
					}
					if r.Verdict == knowledge.Broken && !slices.Contains(broken, r.ID) {
						broken = append(broken, r.ID)
					}
				}
				h.Close()
			}
			slices.Sort(broken)
			if !slices.Equal(broken, tc.broken) {
				t.Errorf("broken: got %q, want %q", broken, tc.broken)
			}
		})
	}
}
