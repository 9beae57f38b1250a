package diagnose_test

import (
	"testing"

	"seaworthy/internal/diagnose"
)

// Several streams share the members of an EtherChannel; one stream takes one of them.
func TestOfLine(t *testing.T) {
	moved := 1.38e9
	d := &diagnose.Diagnosis{LineMbit: 1000, BundleMbit: 2000}
	for streams, want := range map[int]string{1: "138 % of the line (1 Gbit/s)", 32: "69 % of the line (2 Gbit/s)"} {
		if got := d.OfLine(diagnose.Stream{Streams: streams, BPS: &moved}); got != want {
			t.Errorf("%d streams: got %q, want %q", streams, got, want)
		}
	}
	if got := (&diagnose.Diagnosis{}).OfLine(diagnose.Stream{Streams: 1, BPS: &moved}); got != "" {
		t.Errorf("a line whose rate is not known: got %q, want nothing", got)
	}
}
