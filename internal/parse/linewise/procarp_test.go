package linewise

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var procARPCodec = codectest.Codec[ProcARPTable]{Parse: ParseProcARP, Report: func(t *ProcARPTable) *parse.Report { return &t.Report }}

const (
	procARPColumns = "IP address       HW type     Flags       HW address            Mask     Device\n"
	procARPSample  = procARPColumns +
		"10.0.0.9         0x1         0x2         00:09:6b:2e:01:07     *        eth0\n" +
		"10.0.0.8         0x1         0x0         00:00:00:00:00:00     *        eth0\n" +
		"10.0.0.7         0x20        0x2         00:09:6b:2e:01:09     *        ib0\n"
)

func TestParseProcARP(t *testing.T) {
	entry := func(address string, kind, flags uint64, mac, device string) *ProcARPEntry {
		return &ProcARPEntry{Address: netip.MustParseAddr(address), Type: kind, Flags: flags, MAC: mac, Device: device}
	}
	want := []*ProcARPEntry{
		entry("10.0.0.9", 1, 2, "00:09:6b:2e:01:07", "eth0"),
		entry("10.0.0.8", 1, 0, "00:00:00:00:00:00", "eth0"),
		entry("10.0.0.7", 0x20, 2, "00:09:6b:2e:01:09", "ib0"),
	}
	v := procARPCodec.Read(t, procARPSample)
	if d := cmp.Diff(want, v.Entries, cmpopts.EquateComparable(netip.Addr{})); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
	for i, complete := range []bool{true, false, false} {
		if got := v.Entries[i].Complete(); got != complete {
			t.Errorf("%s complete: got %v, want %v", v.Entries[i].Address, got, complete)
		}
	}
	for _, c := range []struct {
		name, text       string
		entries, unknown int
	}{
		{"nobody", procARPColumns, 0, 0},
		{"no address", procARPSample + "10.0.0.300       0x1         0x2         00:09:6b:2e:01:07     *        eth0\n", 3, 1},
		{"a damaged byte", procARPSample + "10.0.0.6         0x1         0x2         00:09:6b:2~:01:07     *        eth0\n", 3, 1},
		{"cut off", procARPSample + "10.0.0.6         0x1         0x2         00:09:6b:2e:01:07     *        eth", 3, 1},
	} {
		if v := procARPCodec.Read(t, c.text); len(v.Entries) != c.entries || len(v.Unknown) != c.unknown {
			t.Errorf("%s: got %d entries, unknown %v, want %d and %d", c.name, len(v.Entries), v.Unknown, c.entries, c.unknown)
		}
	}
	for _, text := range []string{"", "\n", "10.0.0.9         0x1         0x2         00:09:6b:2e:01:07     *        eth0\n"} {
		if v, err := ParseProcARP([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, v, err, parse.ErrNotRecognised)
		}
	}
}
