package linewise

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var fdbCodec = codectest.Codec[ForwardingTable]{Parse: ParseBridgeFDB, Report: func(t *ForwardingTable) *parse.Report { return &t.Report }}

// The forms of the lines are those of iproute2 from 3.8 to 6.1.
const fdbSample = "33:33:00:00:00:01 dev eth0 self permanent\n" +
	"52:54:00:00:00:02 dev tap0 master br0 \n" +
	"52:54:00:00:00:03 dev tap1 vlan 20 used 3/7 master br0 stale\n" +
	"fe:54:00:00:00:02 dev tap0 master br0 permanent\n" +
	"fe:54:00:00:00:02 dev tap0 vlan 1 master br0 permanent\n" +
	"52:54:00:00:00:04 dev vxlan0 dst 192.0.2.7 link-netnsid 0 self extern_learn permanent\n" +
	"52:54:00:00:00:05 dev swp1 extern_learn offload master br0 \n" +
	"52:54:00:00:00:06 dev eth1 sticky master br0 static\n" +
	"52:54:00:00:00:08 dev tap3 master\n" +
	"52:54:00:00:00:09 dev tap3 master permanent\n"

func TestParseBridgeFDB(t *testing.T) {
	want := []*ForwardingEntry{
		{MAC: "33:33:00:00:00:01", Device: "eth0", State: "permanent"},
		{MAC: "52:54:00:00:00:02", Device: "tap0", Master: true},
		{MAC: "52:54:00:00:00:03", Device: "tap1", Master: true, State: "stale"},
		{MAC: "fe:54:00:00:00:02", Device: "tap0", Master: true, State: "permanent"},
		{MAC: "fe:54:00:00:00:02", Device: "tap0", Master: true, State: "permanent"},
		{MAC: "52:54:00:00:00:04", Device: "vxlan0", State: "permanent"},
		{MAC: "52:54:00:00:00:05", Device: "swp1", Master: true},
		{MAC: "52:54:00:00:00:06", Device: "eth1", Master: true, State: "static"},
		{MAC: "52:54:00:00:00:08", Device: "tap3", Master: true},
		{MAC: "52:54:00:00:00:09", Device: "tap3", Master: true, State: "permanent"},
	}
	v := fdbCodec.Read(t, fdbSample)
	if d := cmp.Diff(want, v.Entries); d != "" || len(v.Unknown) > 0 {
		t.Errorf("unknown %v, entries (-want +got):\n%s", v.Unknown, d)
	}
	for i, learned := range []bool{false, true, true, false, false, false, true, false, true, false} {
		if got := v.Entries[i].Learned(); got != learned {
			t.Errorf("%+v learned: got %v, want %v", v.Entries[i], got, learned)
		}
	}
	for _, c := range []struct {
		name, text       string
		entries, unknown int
	}{
		{"a word that nobody knows", fdbSample + "52:54:00:00:00:07 dev tap2 tomorrow master br0 \n", 10, 1},
		{"of a device that the command line names", fdbSample + "52:54:00:00:00:07 master br0 \n", 11, 0},
		{"cut off", fdbSample + "52:54:00:00:00:07 dev tap2 mast", 10, 1},
	} {
		if v := fdbCodec.Read(t, c.text); len(v.Entries) != c.entries || len(v.Unknown) != c.unknown {
			t.Errorf("%s: got %d entries, unknown %v, want %d and %d", c.name, len(v.Entries), v.Unknown, c.entries, c.unknown)
		}
	}
	for _, text := range []string{"", "\n", "Cannot send dump request: Operation not supported\n"} {
		if v, err := ParseBridgeFDB([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, v, err, parse.ErrNotRecognised)
		}
	}
}
