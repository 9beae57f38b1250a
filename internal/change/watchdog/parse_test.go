package watchdog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	r := parse("h", "Welcome!\r\nseaworthy run r-1\r\nseaworthy plan p%201\nseaworthy host a%0Ab\nseaworthy watchers 2\nseaworthy "+
		"left 7\nseaworthy log it said\nnoise\nseaworthy state armed\nseaworthy step 3 0\n")
	want := []State{{Run: "r-1", Plan: "p 1", Host: "h", Hosts: []string{"a\nb"}, Phase: Armed, Left: 7, Watchers: 2,
		Log: []string{"it said"}}}
	if d := cmp.Diff(want, r.states); d != "" {
		t.Errorf("states (-want +got):\n%s", d)
	}
	if r.steps[3] != "0" {
		t.Errorf("step 3: got %q, want 0", r.steps[3])
	}
	if r := parse("h", "seaworthy run r-1\nseaworthy state odd\n"); len(r.states) != 0 {
		t.Errorf("a state nobody knows: got %+v, want none", r.states)
	}
	if r := parse("h", "xseaworthy busy r-1\n seaworthy failed y\n"); r.busy != nil || r.failed != "" {
		t.Errorf("lines that only hold the word: got %+v", r)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("seaworthy run r-1\nseaworthy host a%zz\nseaworthy state reverting.12\n")
	f.Add("seaworthy step 99999999999999999999 0\nseaworthy left -1\nseaworthy busy\n")
	f.Fuzz(func(t *testing.T, out string) {
		for _, s := range parse("h", out).states {
			if s.Run == "" || s.Phase == "" || s.Host != "h" {
				t.Errorf("%q: got a state without run or phase: %+v", out, s)
			}
		}
	})
}
