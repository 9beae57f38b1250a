package e2e

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote/targets"
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
			state, err := os.MkdirTemp("", "sw")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(state) })
			l, err := lab.Up(t.Context(), lab.Options{Topology: tc.topology, StateDir: state + "/s", Behaviour: tc.behaviour})
			if err != nil {
				if strings.Contains(err.Error(), "namespaces") && os.Getenv("CI") != "true" {
					t.Skipf("no lab on this machine: %v", err)
				}
				t.Fatal(err)
			}
			t.Cleanup(func() {
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
				defer cancel()
				if err := l.Down(ctx); err != nil {
					t.Errorf("down: %v", err)
				}
			})
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
