package linewise

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var lssrcCodec = codectest.Codec[SubsystemList]{Parse: ParseLssrc, Report: func(o *SubsystemList) *parse.Report { return &o.Report }}

const lssrcListing = `Subsystem         Group            PID          Status
 clstrmgrES       cluster          7340264      active
 syslogd          ras              3604736      active
 clinfoES         cluster                       inoperative
 ctcas            rsct             5505330      warned to stop
 lonely                            6619368      active
`

func TestParseLssrc(t *testing.T) {
	o := lssrcCodec.Read(t, lssrcListing)
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

func TestLssrcRefused(t *testing.T) {
	for _, text := range []string{"", "some words\nand others\n"} {
		if o, err := ParseLssrc([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, o, err, parse.ErrNotRecognised)
		}
	}
}
