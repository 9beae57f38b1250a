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

var arpCodec = codectest.Codec[ARPTable]{Parse: ParseARP, Report: func(t *ARPTable) *parse.Report { return &t.Report }}

const arpSample = `  ? (10.0.0.9) at 0:9:6b:2e:1:7 [ethernet] stored in bucket 3
  lpar2 (10.0.0.10) at 32:43:1:1:0:0 [ethernet] stored in bucket 4
  ? (10.0.0.11) at (incomplete) stored in bucket 5

bucket:    3     contains:    1 entries

There are 3 entries in the arp table.
`

func TestParseARP(t *testing.T) {
	v := arpCodec.Read(t, arpSample)
	want := []*ARPEntry{
		{Name: "?", Address: netip.MustParseAddr("10.0.0.9"), MAC: "00:09:6b:2e:01:07", Kind: "ethernet"},
		{Name: "lpar2", Address: netip.MustParseAddr("10.0.0.10"), MAC: "32:43:01:01:00:00", Kind: "ethernet"},
		{Name: "?", Address: netip.MustParseAddr("10.0.0.11")},
	}
	if d := cmp.Diff(want, v.Entries, cmpopts.EquateComparable(netip.Addr{})); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
	if len(v.Unknown)+len(v.Warnings) > 0 {
		t.Errorf("got unknown %v, warnings %v, want none", v.Unknown, v.Warnings)
	}
}

func TestARPParseOthers(t *testing.T) {
	for _, c := range []struct {
		name, text                 string
		entries, unknown, warnings int
		refused                    bool
	}{
		{"nobody", "There are 0 entries in the arp table.\n", 0, 0, 0, false},
		{"another system's", "? (10.0.0.1) at 00:09:6b:2e:01:07 [ether] on eth0\n", 1, 0, 0, false},
		{"no address", "  ? (10.0.0.300) at 0:9:6b:2e:1:7\n" + arpSample, 3, 1, 0, false},
		{"five bytes", "  ? (10.0.0.8) at 0:9:6b:2e:1\n" + arpSample, 3, 1, 0, false},
		{"a byte too large", "  ? (10.0.0.7) at 0:9:6b:2e:1:777\n" + arpSample, 3, 1, 0, false},
		{"cut off in the last byte", arpSample + "  ? (10.0.0.12) at 0:9:6b:2e:1:7", 3, 1, 1, false},
		{"not allowed", "ksh: arp: 0403-006 Execute permission denied.\n", 0, 0, 1, false},
		{"other output", "ent0 Available\n", 0, 0, 0, true},
		{"nothing", "\n", 0, 0, 0, true},
	} {
		v, err := ParseARP([]byte(c.text))
		if c.refused {
			if !errors.Is(err, parse.ErrNotRecognised) {
				t.Errorf("%s: got %+v, %v, want %v", c.name, v, err, parse.ErrNotRecognised)
			}
			continue
		}
		if err != nil || len(v.Entries) != c.entries || len(v.Unknown) != c.unknown || len(v.Warnings) != c.warnings {
			t.Errorf("%s: got %+v, %v, want %d entries, %d lines not understood, %d warnings", c.name, v, err, c.entries, c.unknown, c.warnings)
		}
	}
}
