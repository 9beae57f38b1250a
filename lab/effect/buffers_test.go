package effect_test

import (
	"strings"
	"testing"

	"seaworthy/internal/knowledge"
	"seaworthy/lab/effect"
)

// Where nothing counts receive buffers, the table says why instead of what
// they would do.
func TestTableWithoutBuffers(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	const why = "only root may"
	for _, m := range []effect.Machine{{}, {NoBuffers: why}} {
		want := effect.Kernel
		if m.NoBuffers != "" {
			want = effect.Recorded
		}
		seen := 0
		for _, e := range effect.Table(cat.Attributes("virtual-adapter"), m) {
			switch e.Attribute {
			case "min_buf_small", "max_buf_huge", "buf_mode":
				seen++
				if e.Outcome != want || strings.Contains(e.What, why) != (m.NoBuffers != "") {
					t.Errorf("%+v: got %+v, want %s", m, e, want)
				}
			case "max_buf_control":
				if e.Outcome != effect.Recorded || strings.Contains(e.What, why) {
					t.Errorf("%+v: got %+v, want it recorded for a reason of its own", m, e)
				}
			}
		}
		if seen != 3 {
			t.Errorf("%+v: got %d of 3 attributes", m, seen)
		}
		for _, e := range effect.Counters(m) {
			if strings.HasPrefix(e.Attribute, "receive buffer pools") && e.Outcome != want {
				t.Errorf("%+v: got %+v, want %s", m, e, want)
			}
		}
	}
}
