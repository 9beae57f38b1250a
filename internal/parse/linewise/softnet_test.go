package linewise

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var softnetCodec = codectest.Codec[SoftnetTable]{Parse: ParseSoftnet, Report: func(t *SoftnetTable) *parse.Report { return &t.Report }}

const softnetRest = " 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"

const softnetSample = "00000010 00000002 00000003" + softnetRest + "\n0000001f 00000000 00000001" + softnetRest + "\n"

func TestParseSoftnet(t *testing.T) {
	sums := func(processed, dropped, squeezed, busiest uint64) map[string]uint64 {
		return map[string]uint64{"softnet.processed": processed, "softnet.dropped": dropped, "softnet.time_squeeze": squeezed,
			"softnet.busiest": busiest, "softnet.flow_limit": 0}
	}
	for name, c := range map[string]struct {
		text    string
		unknown int
		want    map[string]uint64 // nil: not recognised
	}{
		"two CPUs":            {softnetSample, 0, sums(47, 2, 4, 31)},
		"no newline":          {"00000010 00000002 00000003" + softnetRest, 0, sums(16, 2, 3, 16)},
		"CRLF":                {"00000010 00000002 00000003" + softnetRest + "\r\n", 0, sums(16, 2, 3, 16)},
		"cut between":         {softnetSample + "00000010 00000002 00000003", 1, sums(47, 2, 4, 31)},
		"cut in a number":     {softnetSample + "00000010 0000", 1, sums(47, 2, 4, 31)},
		"another number":      {softnetSample + "10 2 3\n", 1, sums(47, 2, 4, 31)},
		"an error":            {"cat: /proc/net/softnet_stat: Permission denied\n", 0, nil},
		"too few":             {"00000010 00000002 00000003\n", 0, nil},
		"empty":               {"", 0, nil},
		"capital hexadecimal": {"0000001F 00000000 00000001" + softnetRest + "\n", 0, nil},
	} {
		v := softnetCodec.Try(t, name, c.text, c.want != nil)
		if v == nil {
			continue
		}
		if diff := cmp.Diff(c.want, v.Counters()); diff != "" || len(v.Unknown) != c.unknown {
			t.Errorf("%s: unknown %v, want %d; sums (-want +got):\n%s", name, v.Unknown, c.unknown, diff)
		}
	}
}

// The flow limit stands in the eleventh column; a kernel with fewer does not count it.
func TestFlowLimit(t *testing.T) {
	limited, err := ParseSoftnet([]byte("00000010 00000002 00000003 00000000 00000000 00000000 00000000 00000000 00000000 00000000 000000ff 00000000\n"))
	if err != nil || limited.Counters()["softnet.flow_limit"] != 255 {
		t.Errorf("got %+v, %v", limited, err)
	}
	old, err := ParseSoftnet([]byte("00000010 00000002 00000003 00000000 00000000 00000000 00000000 00000000 00000000\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, counted := old.Counters()["softnet.flow_limit"]; counted {
		t.Error("nine columns have no flow limit")
	}
}
