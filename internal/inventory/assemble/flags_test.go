package assemble_test

import (
	"bytes"
	"strings"
	"testing"

	"seaworthy/internal/inventory/assemble"
)

// A flag that is spoilt may be any: what is not among the others is unknown,
// not off.
func TestSpoiltFlag(t *testing.T) {
	for _, about := range folders {
		if about.Name != "vios-root" {
			continue
		}
		outputs := load(t, about.Name)
		for i, o := range outputs {
			outputs[i].Text = bytes.ReplaceAll(o.Text, []byte("LARGESEND"), []byte("LARG\xff\xfeND"))
		}
		h := assemble.Host(about, outputs)
		sea := h.Elements["ent5"]
		if a := sea.Attrs["largesend"]; a != nil && a.Running != nil && *a.Running == "0" {
			t.Errorf("largesend: got off from a flag that cannot be read, want it unknown or as lsattr has it")
		}
		reported := false
		for _, g := range h.Gaps {
			reported = reported || strings.Contains(g.Why, "SEA Flags")
		}
		if !reported {
			t.Errorf("gaps: got %v, want one that names SEA Flags", h.Gaps)
		}
	}
}
