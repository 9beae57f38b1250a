package finding

import (
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
)

func TestLargestNeeds(t *testing.T) {
	at := model.Ref{Host: "lpar1", Element: "en0"}
	asks := func(rule, value string, atLeast bool) Finding {
		return Finding{Rule: rule, Verdict: Found, Element: at,
			Remedy: []Setting{{Ref: at, Attr: "tcp_recvspace", Value: value, AtLeast: atLeast}}}
	}
	elsewhere := asks("R1", "262144", true)
	elsewhere.Remedy[0].Host = "lpar2"
	other := asks("R1", "262144", true)
	other.Remedy[0].Attr = "tcp_sendspace"
	passed := asks("R9", "1048576", true)
	passed.Verdict = Pass
	for _, tt := range []struct {
		name     string
		findings []Finding
		want     string // the values, one per finding
		caution  string // of the first
	}{
		{"the larger one second", []Finding{asks("R1", "262144", true), asks("R2", "524288", true)}, "524288 524288",
			"tcp_recvspace=262144 would do here; R2 needs 524288."},
		{"the larger one first, as a number", []Finding{asks("R1", "1048576", true), asks("R2", "262144", true)}, "1048576 1048576", ""},
		{"three", []Finding{asks("R1", "65536", true), asks("R2", "524288", true), asks("R3", "262144", true)}, "524288 524288 524288",
			"tcp_recvspace=65536 would do here; R2 needs 524288."},
		{"an exact value", []Finding{asks("R1", "262144", false), asks("R2", "524288", true)}, "262144 524288", ""},
		{"no number", []Finding{asks("R1", "yes", true), asks("R2", "524288", true)}, "yes 524288", ""},
		{"another element", []Finding{elsewhere, asks("R2", "524288", true)}, "262144 524288", ""},
		{"another attribute", []Finding{other, asks("R2", "524288", true)}, "262144 524288", ""},
		{"no finding", []Finding{asks("R1", "262144", true), passed}, "262144 1048576", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			LargestNeeds(tt.findings)
			var got []string
			for _, f := range tt.findings {
				got = append(got, f.Remedy[0].Value)
			}
			if strings.Join(got, " ") != tt.want || strings.Join(tt.findings[0].Cautions, "") != tt.caution {
				t.Errorf("got %q, caution %q; want %q, %q", got, tt.findings[0].Cautions, tt.want, tt.caution)
			}
		})
	}
}
