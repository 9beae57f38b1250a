package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
)

// A setting that no rule has an opinion about is not a finding, but a note says
// that somebody changed it.
func TestUnusualSettings(t *testing.T) {
	s := start(t, "healthy", "padmin")
	if diff := cmp.Diff([]string{}, unusual(s.audit())); diff != "" {
		t.Fatalf("notes about a healthy lab (-want +got):\n%s", diff)
	}
	s.spoil(batch{of: []misset{
		{host: "lpar1", do: set("en0", "monitor=on")},
		{host: "lpar1", do: no("tcp_keepidle=7200")},
		{host: "vios1", do: set("ent5", "queue_size=1024")},
		{host: "vios1", do: later("ent0", "jumbo_size=4096")},
	}})
	all := s.audit()
	want := []string{"lpar1 en0 monitor = on, default off", "lpar1 no tcp_keepidle = 7200, default 14400",
		"vios1 ent5 queue_size = 1024, default 8192", "vios1 ent0 jumbo_size = 4096, default 9014"}
	slices.Sort(want)
	if diff := cmp.Diff(want, unusual(all)); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{}, named(all)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// unusual gives what notes about unusual settings show.
func unusual(all []finding.Finding) []string {
	out := []string{}
	for _, f := range all {
		if f.Rule == "R083" && f.Verdict == finding.Found {
			for _, e := range f.Evidence {
				out = append(out, strings.TrimSpace(e.Host+" "+e.Text))
			}
		}
	}
	slices.Sort(out)
	return out
}
