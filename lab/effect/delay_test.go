package effect_test

import (
	"strings"
	"testing"
	"time"

	"seaworthy/lab/effect"
	"seaworthy/lab/wire"
)

// A delay is at the switch's end of a cable, in every VLAN instance; of ports that the
// switch aggregates it is at their common end.
func TestDelay(t *testing.T) {
	top, stores := load(t, "vlans")
	lag := ""
	for i := range top.Switch.Ports {
		p := &top.Switch.Ports[i]
		p.Delay = 2 * time.Millisecond
		if p.LAG != "" {
			lag, p.Delay = p.Name, time.Millisecond
		}
	}
	if lag == "" {
		t.Fatal("vlans has no aggregate any more: this test needs another topology")
	}
	broken := effect.Lookup{Stores: stores, Faults: effect.Faults{
		{Kind: effect.Delay, At: [2]string{lag}}:     int64(7 * time.Millisecond),
		{Kind: effect.Delay, At: [2]string{"sw1/4"}}: int64(3 * time.Millisecond)}}
	st, err := effect.Desired(top, broken)
	if err != nil {
		t.Fatal(err)
	}
	l, err := wire.BuildLayout(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range l.Devices {
		want := time.Duration(0)
		switch {
		case d.Place == wire.SwitchLAG:
			want = 7 * time.Millisecond
		case d.Place == wire.SwitchPort && d.Port == "sw1/4":
			want = 3 * time.Millisecond
		case d.Place == wire.SwitchPort && d.Bridge != "":
			want = 2 * time.Millisecond
		}
		if got := st.Ends[d.End].Delay; got != want {
			t.Errorf("%v (%s): got delay %s, want %s", d.End, d.Place, got, want)
		}
	}
	// No end but a port of a bridge can delay.
	for e, s := range st.Ends {
		if s.Delay > 0 && !strings.HasPrefix(e.Namespace, "sw:") {
			t.Errorf("%v: delays by %s", e, s.Delay)
		}
	}
}
