package audit

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
)

func TestConsequencesAreFoldedIntoTheirCause(t *testing.T) {
	off := map[string]any{"lpar1:en0": map[string]any{"flags": []any{"UP", "BROADCAST"}, "attrs": map[string]any{"mtu_bypass": "off"}}}
	sea := map[string]any{"vios2:ent9": map[string]any{"attrs": map[string]any{"jumbo_frames": "no"}}}
	full := map[string]any{"lpar1:ent0": map[string]any{
		"counters": map[string]any{"rx.No Resource Errors": 590611, "Hypervisor Receive Failures": 590611},
		"attrs":    map[string]any{"max_buf_small": map[string]any{"running": 4096, "next_boot": 4096, "allowed": []any{"512...4096 (+1)"}}},
		"buffers":  map[string]any{"Small": map[string]any{"min": 4096, "max": 4096, "max_allocated": 4096, "lowest_registered": 2}},
	}}
	tests := []struct {
		name, fleet string
		with        map[string]any
		disable     []string
		want        map[string][]string // finding → its symptoms
	}{
		{"the cause alone", "two-systems", off, nil, map[string][]string{"R001/lpar1:en0": {"R012/lpar1:en0"}}},
		{"without the cause's rule the consequence stands", "two-systems", off, []string{"R001"}, map[string][]string{"R012/lpar1:en0": nil}},
		{"buffers at their ceiling are one finding", "two-systems", full, nil, map[string][]string{"R029/lpar1:ent0": {"R026/lpar1:ent0"}, "R031/vios1:ent4": nil}},
		{"nothing to fold", "pair", sea, nil, map[string][]string{"R023/vios2:ent9": nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, err := builtIn(t).Run(t.Context(), fleet(t, tt.fleet, tt.with), rule.Options{Disable: append(slices.Clone(tt.disable), "R052")})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string][]string{}
			for _, f := range all {
				if f.Verdict == finding.Found && (f.Severity != finding.Info || f.Rule == "R012") {
					got[f.ID] = f.Symptoms
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings and what they cover (-want +got):\n%s", diff)
			}
		})
	}
}
