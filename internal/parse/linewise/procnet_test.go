package linewise

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
)

const procNetSample = "Ip: Forwarding DefaultTTL InReceives\nIp: 2 64 81203\n" +
	"Tcp: RtoAlgorithm MaxConn RetransSegs\nTcp: 1 -1 77\n"

func TestParseProcNet(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		unknown int
		want    map[string]uint64 // nil: not recognised
	}{
		"whole": {procNetSample, 0, map[string]uint64{"Ip.Forwarding": 2, "Ip.DefaultTTL": 64, "Ip.InReceives": 81203, "Tcp.RtoAlgorithm": 1,
			"Tcp.RetransSegs": 77}},
		"empty":             {"", 0, nil},
		"an error":          {"cat: /proc/net/snmp: Permission denied\n", 0, nil},
		"names alone":       {"Tcp: RetransSegs\n", 0, nil},
		"a number missing":  {"Tcp: InSegs OutSegs\nTcp: 5\nUdp: InDatagrams\nUdp: 9\n", 1, map[string]uint64{"Udp.InDatagrams": 9}},
		"another protocol":  {"Tcp: InSegs\nUdp: 5\n", 0, nil},
		"cut off":           {"Udp: InDatagrams\nUdp: 9\nTcp: InSegs OutSegs\nTcp: 5 12", 1, map[string]uint64{"Udp.InDatagrams": 9}},
		"more than 64 bits": {"Tcp: InSegs OutSegs\nTcp: 99999999999999999999 4\n", 0, map[string]uint64{"Tcp.OutSegs": 4}},
		"CRLF":              {"Tcp: InSegs\r\nTcp: 5\r\n", 0, map[string]uint64{"Tcp.InSegs": 5}},
	} {
		v, err := ParseProcNet([]byte(c.text))
		if c.want == nil {
			if !errors.Is(err, parse.ErrNotRecognised) {
				t.Errorf("%s: got %+v, %v; want ErrNotRecognised", name, v, err)
			}
			continue
		}
		if diff := cmp.Diff(c.want, v.Counters()); diff != "" || len(v.Unknown) != c.unknown {
			t.Errorf("%s: unknown %v; counters (-want +got):\n%s", name, v.Unknown, diff)
		}
	}
}
