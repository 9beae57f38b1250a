package softnet_test

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linux/softnet"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[softnet.Table]{Parse: softnet.Parse, Report: func(t *softnet.Table) *parse.Report { return &t.Report }}

const rest = " 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"

const sample = "00000010 00000002 00000003" + rest + "\n0000001f 00000000 00000001" + rest + "\n"

func TestParse(t *testing.T) {
	sums := func(processed, dropped, squeezed uint64) map[string]uint64 {
		return map[string]uint64{"softnet.processed": processed, "softnet.dropped": dropped, "softnet.time_squeeze": squeezed}
	}
	for name, c := range map[string]struct {
		text    string
		unknown int
		want    map[string]uint64 // nil: not recognised
	}{
		"two CPUs":            {sample, 0, sums(47, 2, 4)},
		"no newline":          {"00000010 00000002 00000003" + rest, 0, sums(16, 2, 3)},
		"CRLF":                {"00000010 00000002 00000003" + rest + "\r\n", 0, sums(16, 2, 3)},
		"cut between":         {sample + "00000010 00000002 00000003", 1, sums(47, 2, 4)},
		"cut in a number":     {sample + "00000010 0000", 1, sums(47, 2, 4)},
		"another number":      {sample + "10 2 3\n", 1, sums(47, 2, 4)},
		"an error":            {"cat: /proc/net/softnet_stat: Permission denied\n", 0, nil},
		"too few":             {"00000010 00000002 00000003\n", 0, nil},
		"empty":               {"", 0, nil},
		"capital hexadecimal": {"0000001F 00000000 00000001" + rest + "\n", 0, nil},
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

func TestCorpus(t *testing.T)  { codec.Corpus(t, *update, "linux/proc_softnet_stat/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, sample) }
func TestFast(t *testing.T)    { codec.Fast(t, sample) }
func FuzzParse(f *testing.F)   { codec.Fuzz(f, sample, "00000010"+rest+"\r\n") }
