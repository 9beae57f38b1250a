package linewise

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var arpCacheCodec = codectest.Codec[ARPCacheStatistics]{Parse: ParseARPCacheStatistics, Report: func(t *ARPCacheStatistics) *parse.Report { return &t.Report }}

const (
	arpCacheOld    = "entries  allocs destroys forced_gc_runs unresolved_discards\n"
	arpCacheHeads  = "entries  allocs   destroys forced_gc_runs unresolved_discards table_fulls\n"
	arpCacheSample = arpCacheHeads + "0000001b 00000110 000000fb 00000003       00000000            00000010\n" +
		"0000001b 000000fc 000000f6 00000001       00000000            00000002\n"
)

func TestParseARPCache(t *testing.T) {
	sums := func(forced, full uint64) map[string]uint64 {
		return map[string]uint64{"arp.forced_gc_runs": forced, "arp.table_fulls": full}
	}
	for name, c := range map[string]struct {
		text    string
		unknown int
		want    map[string]uint64 // nil: not recognised
	}{
		"two CPUs":        {arpCacheSample, 0, sums(4, 18)},
		"an old kernel":   {arpCacheOld + "0000001b 00000110 000000fb 00000003 00000000\n", 0, map[string]uint64{"arp.forced_gc_runs": 3}},
		"64 bits":         {arpCacheHeads + "0000001b 00000110 000000fb 00000003 00000000 100000000\n", 0, sums(3, 1<<32)},
		"CRLF":            {arpCacheHeads[:len(arpCacheHeads)-1] + "\r\n0000001b 00000110 000000fb 00000003 00000000 00000010\r\n", 0, sums(3, 16)},
		"cut between":     {arpCacheSample + "0000001b 000000fc", 1, sums(4, 18)},
		"cut in a number": {arpCacheSample + "0000001b 000000fc 000000f6 00000001 00000000 0000", 1, sums(4, 18)},
		"no heading":      {"0000001b 00000110 000000fb 00000003 00000000 00000010\n", 0, nil},
		"heading alone":   {arpCacheHeads, 0, nil},
		"an error":        {"cat: /proc/net/stat/arp_cache: No such file or directory\n", 0, nil},
		"empty":           {"", 0, nil},
	} {
		v := arpCacheCodec.Try(t, name, c.text, c.want != nil)
		if v == nil {
			continue
		}
		if diff := cmp.Diff(c.want, v.Counters()); diff != "" || len(v.Unknown) != c.unknown {
			t.Errorf("%s: unknown %v, want %d; sums (-want +got):\n%s", name, v.Unknown, c.unknown, diff)
		}
	}
}
