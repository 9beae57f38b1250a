package lssrc

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[Output]{Parse: Parse, Report: func(o *Output) *parse.Report { return &o.Report }}

const listing = `Subsystem         Group            PID          Status
 clstrmgrES       cluster          7340264      active
 syslogd          ras              3604736      active
 clinfoES         cluster                       inoperative
 ctcas            rsct             5505330      warned to stop
 lonely                            6619368      active
`

func TestParse(t *testing.T) {
	o := codec.Read(t, listing)
	pid := func(n int) *int { return &n }
	want := []*Subsystem{
		{Name: "clstrmgrES", Group: "cluster", PID: pid(7340264), Status: "active"},
		{Name: "syslogd", Group: "ras", PID: pid(3604736), Status: "active"},
		{Name: "clinfoES", Group: "cluster", Status: "inoperative"},
		{Name: "ctcas", Group: "rsct", PID: pid(5505330), Status: "warned to stop"},
		{Name: "lonely", PID: pid(6619368), Status: "active"},
	}
	if d := cmp.Diff(want, o.Subsystems); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if o.Subsystems[2].Active() || !o.Subsystems[3].Active() {
		t.Error("a subsystem is active while it has a process")
	}
}

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "some words\nand others\n"} {
		if o, err := Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, o, err, parse.ErrNotRecognised)
		}
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, listing) }

func FuzzParse(f *testing.F) { codec.Fuzz(f, listing, " x y 1 active\n") }
