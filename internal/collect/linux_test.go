package collect

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What the kernel made itself has no rings and no interrupts: it is asked for what every device has.
func TestSoftDevices(t *testing.T) {
	m, _, _ := take(t, "user", linuxHost().Serve, Options{})
	asked := map[string][]string{}
	for _, r := range m.Commands {
		asked[r.Element] = append(asked[r.Element], r.ID)
	}
	if diff := cmp.Diff([]string{"sys-class-net", "ethtool", "ethtool-k"}, asked["bond0"]); diff != "" {
		t.Errorf("a bond, want -, got +\n%s", diff)
	}
	for _, id := range []string{"ethtool-S", "ethtool-g", "ethtool-l", "irq-affinity"} {
		if !slices.Contains(asked["eth0"], id) {
			t.Errorf("a port: got %v, want %s among them", asked["eth0"], id)
		}
	}
}
