package e2e

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/test/draw"
)

// missettings says how many: some of the labs, drawn again each time, all of them, or
// each mis-setting in a lab of its own, with its remedy: minutes.
var missettings = os.Getenv("MISSETTINGS")

// Each mis-setting gives exactly the findings that describe it.
func TestMisSettings(t *testing.T) {
	if missettings == "each" {
		t.Skip("MISSETTINGS=each: TestRemedies does it one by one")
	}
	for _, b := range draw.OneIn(t, 32, packed(singles)) {
		t.Run(b.name(), func(t *testing.T) {
			t.Parallel()
			s := start(t, b.lab, b.login)
			s.spoil(b)
			all := s.audit()
			if diff := cmp.Diff(b.want(), named(all)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// spoil makes the mis-settings, and reads the hosts that have them.
func (s *site) spoil(b batch) {
	s.t.Helper()
	for _, c := range b.of {
		if err := s.do(c.host, c.do); err != nil {
			s.t.Fatal(err)
		}
	}
	s.look(s.changed(b)...)
}

func (b batch) want() []string {
	want := []string{}
	for _, c := range b.of {
		want = append(want, c.want...)
	}
	slices.Sort(want)
	return slices.Compact(want)
}
