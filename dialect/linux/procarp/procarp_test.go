package procarp

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
)

var codec = codectest.Codec[Table]{
	Parse: Parse, Format: Format,
	Report: func(t *Table) *dialect.Report { return &t.Report },
}

const sample = heading + `
10.0.0.9         0x1         0x2         00:09:6b:2e:01:07     *        eth0
10.0.0.8         0x1         0x0         00:00:00:00:00:00     *        eth0
10.0.0.7         0x20        0x2         00:09:6b:2e:01:09     *        ib0
`

func TestParse(t *testing.T) {
	v := codec.RoundTrip(t, []byte(sample))
	entry := func(address string, kind, flags uint64, mac, device string) *Entry {
		return &Entry{Address: netip.MustParseAddr(address), Type: kind, Flags: flags, MAC: mac, Mask: "*", Device: device}
	}
	want := []*Entry{
		entry("10.0.0.9", 1, 2, "00:09:6b:2e:01:07", "eth0"),
		entry("10.0.0.8", 1, 0, "00:00:00:00:00:00", "eth0"),
		entry("10.0.0.7", 0x20, 2, "00:09:6b:2e:01:09", "ib0"),
	}
	if d := cmp.Diff(want, v.Entries, cmpopts.IgnoreUnexported(Entry{}), cmpopts.EquateComparable(netip.Addr{})); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
	for i, complete := range []bool{true, false, false} {
		if got := v.Entries[i].Complete(); got != complete {
			t.Errorf("%s complete: got %v, want %v", v.Entries[i].Address, got, complete)
		}
	}
}

func TestParseOthers(t *testing.T) {
	for _, c := range []struct {
		name, text       string
		entries, unknown int
	}{
		{"nobody", heading + "\n", 0, 0},
		{"no address", sample + "10.0.0.300       0x1         0x2         00:09:6b:2e:01:07     *        eth0\n", 3, 1},
		{"a damaged byte", sample + "10.0.0.6         0x1         0x2         00:09:6b:2~:01:07     *        eth0\n", 3, 1},
		{"cut off", sample + "10.0.0.6         0x1         0x2         00:09:6b:2e:01:07     *        eth", 3, 1},
	} {
		v := codec.RoundTrip(t, []byte(c.text))
		if len(v.Entries) != c.entries || len(v.Unknown) != c.unknown {
			t.Errorf("%s: got %d entries, unknown %v, want %d and %d", c.name, len(v.Entries), v.Unknown, c.entries, c.unknown)
		}
	}
	for _, text := range []string{"", "\n", "10.0.0.9         0x1         0x2         00:09:6b:2e:01:07     *        eth0\n"} {
		if v, err := Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, v, err, dialect.ErrNotRecognised)
		}
	}
}

func TestFormat(t *testing.T) {
	v := codec.RoundTrip(t, []byte(sample))
	fresh := &Table{}
	for _, e := range v.Entries {
		copied := *e
		copied.before, copied.raw = nil, ""
		fresh.Entries = append(fresh.Entries, &copied)
	}
	if got := string(Format(fresh)); got != sample {
		t.Errorf("from scratch: got %q, want %q", got, sample)
	}
	v.Entries[1].Flags = 2
	if got := codec.RoundTrip(t, Format(v)).Entries[1].Flags; got != 2 {
		t.Errorf("changed flags: got %d, want 2", got)
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, []byte(sample)) }

func FuzzParse(f *testing.F) { codec.Fuzz(f, sample, "\n"+heading+"\r\n\n") }
