package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What an HMC says of processors fills what a host did not say, all or nothing; where they
// differ the host's own answer stays, with a gap.
func TestSharesOfProcessors(t *testing.T) {
	capped := Partition{Name: "linux1", Number: new(4), Type: "Shared", Mode: "Capped", Entitled: new(0.5), VirtualCPUs: new(2)}
	for name, c := range map[string]struct {
		own   Partition
		said  Partition
		want  Partition
		limit float64 // 0: none
		gaps  int
	}{
		"nothing of its own": {Partition{Number: new(4)}, capped, Partition{Number: new(4), Type: "Shared", Mode: "Capped", Entitled: new(0.5),
			VirtualCPUs: new(2)}, 0.5, 0},
		"dedicated": {Partition{Number: new(4)}, Partition{Number: new(4), Type: "Dedicated", Mode: "Donating", Entitled: new(3.0), VirtualCPUs: new(3)},
			Partition{Number: new(4), Type: "Dedicated", Mode: "Donating", Entitled: new(3.0), VirtualCPUs: new(3)}, 3, 0},
		"its own answer": {Partition{Number: new(4), Type: "Shared-SMT-4", Mode: "Capped", Entitled: new(1.0), VirtualCPUs: new(2)}, capped,
			Partition{Number: new(4), Type: "Shared-SMT-4", Mode: "Capped", Entitled: new(1.0), VirtualCPUs: new(2)}, 1, 0},
		"another mode":      {Partition{Number: new(4), Mode: "Uncapped"}, capped, Partition{Number: new(4), Mode: "Uncapped"}, 0, 1},
		"another partition": {Partition{Number: new(5)}, capped, Partition{Number: new(5)}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			h := &Host{Name: "linux1", MachineID: "M", Partition: c.own}
			f := &Fleet{Hosts: []*Host{h}, HMCs: []*HMC{{Name: "hmc1", Shares: []ProcessorShare{{System: "M", Partition: c.said}}}}}
			f.MergeHMC()
			f.MergeHMC()
			if d := cmp.Diff(c.want, h.Partition); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if got := h.Figures[CoresLimit].Value; got != c.limit || len(h.Gaps) != c.gaps {
				t.Errorf("got a limit of %v cores, gaps %v; want %v, %d", got, h.Gaps, c.limit, c.gaps)
			}
		})
	}
}
