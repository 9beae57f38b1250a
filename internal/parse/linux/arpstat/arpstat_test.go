package arpstat_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linux/arpstat"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[arpstat.Table]{Parse: arpstat.Parse, Report: func(t *arpstat.Table) *parse.Report { return &t.Report }}

const (
	old    = "entries  allocs destroys forced_gc_runs unresolved_discards\n"
	heads  = "entries  allocs   destroys forced_gc_runs unresolved_discards table_fulls\n"
	sample = heads + "0000001b 00000110 000000fb 00000003       00000000            00000010\n" +
		"0000001b 000000fc 000000f6 00000001       00000000            00000002\n"
)

func TestParse(t *testing.T) {
	sums := func(forced, full uint64) map[string]uint64 {
		return map[string]uint64{"arp.forced_gc_runs": forced, "arp.table_fulls": full}
	}
	for name, c := range map[string]struct {
		text    string
		unknown int
		want    map[string]uint64 // nil: not recognised
	}{
		"two CPUs":        {sample, 0, sums(4, 18)},
		"an old kernel":   {old + "0000001b 00000110 000000fb 00000003 00000000\n", 0, map[string]uint64{"arp.forced_gc_runs": 3}},
		"64 bits":         {heads + "0000001b 00000110 000000fb 00000003 00000000 100000000\n", 0, sums(3, 1<<32)},
		"CRLF":            {heads[:len(heads)-1] + "\r\n0000001b 00000110 000000fb 00000003 00000000 00000010\r\n", 0, sums(3, 16)},
		"cut between":     {sample + "0000001b 000000fc", 1, sums(4, 18)},
		"cut in a number": {sample + "0000001b 000000fc 000000f6 00000001 00000000 0000", 1, sums(4, 18)},
		"no heading":      {"0000001b 00000110 000000fb 00000003 00000000 00000010\n", 0, nil},
		"heading alone":   {heads, 0, nil},
		"an error":        {"cat: /proc/net/stat/arp_cache: No such file or directory\n", 0, nil},
		"empty":           {"", 0, nil},
	} {
		v := codec.Try(t, name, c.text, c.want != nil)
		if v == nil {
			continue
		}
		if diff := cmp.Diff(c.want, v.Counters()); diff != "" || len(v.Unknown) != c.unknown {
			t.Errorf("%s: unknown %v, want %d; sums (-want +got):\n%s", name, v.Unknown, c.unknown, diff)
		}
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, sample) }
func TestFast(t *testing.T)    { codec.Fast(t, sample) }
func FuzzParse(f *testing.F)   { codec.Fuzz(f, sample, old) }
