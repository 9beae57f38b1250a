package task_test

import (
	"net/netip"
	"seaworthy/internal/change/task"
	"slices"
	"testing"
)

// A host is held against what the plan knew: what is gone, and what came since.
func TestKeepMissingAndUnknown(t *testing.T) {
	keep := func(kernelOnly bool, addresses ...string) *task.IPConfig {
		k := &task.IPConfig{}
		for _, a := range addresses {
			k.Addresses = append(k.Addresses, task.ConfiguredAddress{Address: netip.MustParsePrefix(a + "/24"), KernelOnly: kernelOnly})
		}
		return k
	}
	for _, c := range []struct {
		name             string
		then, now        *task.IPConfig
		missing, unknown []string
	}{
		{"the same", keep(true, "10.0.0.1"), keep(true, "10.0.0.1"), nil, nil},
		{"gone", keep(false, "10.0.0.1", "10.0.0.2"), keep(false, "10.0.0.1"), []string{"10.0.0.2"}, nil},
		{"not read any more", keep(false, "10.0.0.1"), nil, []string{"10.0.0.1"}, nil},
		{"more, which the ODM has", keep(false, "10.0.0.1"), keep(false, "10.0.0.1", "10.0.0.2"), nil, nil},
		{"more, which it has not", keep(false), keep(true, "10.0.0.2"), nil, []string{"10.0.0.2"}},
		{"nothing known, nothing there", nil, nil, nil, nil},
	} {
		if got := c.then.Missing(c.now); !slices.Equal(got, c.missing) {
			t.Errorf("%s: missing: got %v, want %v", c.name, got, c.missing)
		}
		if got := c.then.Unknown(c.now); !slices.Equal(got, c.unknown) {
			t.Errorf("%s: unknown: got %v, want %v", c.name, got, c.unknown)
		}
	}
}
