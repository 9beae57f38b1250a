package procarp_test

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linux/procarp"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[procarp.Table]{Parse: procarp.Parse, Report: func(t *procarp.Table) *parse.Report { return &t.Report }}

const (
	heading = "IP address       HW type     Flags       HW address            Mask     Device\n"
	sample  = heading +
		"10.0.0.9         0x1         0x2         00:09:6b:2e:01:07     *        eth0\n" +
		"10.0.0.8         0x1         0x0         00:00:00:00:00:00     *        eth0\n" +
		"10.0.0.7         0x20        0x2         00:09:6b:2e:01:09     *        ib0\n"
)

func TestParse(t *testing.T) {
	entry := func(address string, kind, flags uint64, mac, device string) *procarp.Entry {
		return &procarp.Entry{Address: netip.MustParseAddr(address), Type: kind, Flags: flags, MAC: mac, Device: device}
	}
	want := []*procarp.Entry{
		entry("10.0.0.9", 1, 2, "00:09:6b:2e:01:07", "eth0"),
		entry("10.0.0.8", 1, 0, "00:00:00:00:00:00", "eth0"),
		entry("10.0.0.7", 0x20, 2, "00:09:6b:2e:01:09", "ib0"),
	}
	v := codec.Read(t, sample)
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
		{"nobody", heading, 0, 0},
		{"no address", sample + "10.0.0.300       0x1         0x2         00:09:6b:2e:01:07     *        eth0\n", 3, 1},
		{"a damaged byte", sample + "10.0.0.6         0x1         0x2         00:09:6b:2~:01:07     *        eth0\n", 3, 1},
		{"cut off", sample + "10.0.0.6         0x1         0x2         00:09:6b:2e:01:07     *        eth", 3, 1},
	} {
		if v := codec.Read(t, c.text); len(v.Entries) != c.entries || len(v.Unknown) != c.unknown {
			t.Errorf("%s: got %d entries, unknown %v, want %d and %d", c.name, len(v.Entries), v.Unknown, c.entries, c.unknown)
		}
	}
	for _, text := range []string{"", "\n", "10.0.0.9         0x1         0x2         00:09:6b:2e:01:07     *        eth0\n"} {
		if v, err := procarp.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, v, err, parse.ErrNotRecognised)
		}
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, sample) }
func TestFast(t *testing.T)    { codec.Fast(t, sample) }
func FuzzParse(f *testing.F)   { codec.Fuzz(f, sample, "\n"+heading+"\r\n\n") }
