package procnet_test

import (
	"errors"
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linux/procnet"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[procnet.Tables]{Parse: procnet.Parse, Report: func(t *procnet.Tables) *parse.Report { return &t.Report }}

const sample = "Ip: Forwarding DefaultTTL InReceives\nIp: 2 64 81203\n" +
	"Tcp: RtoAlgorithm MaxConn RetransSegs\nTcp: 1 -1 77\n"

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		unknown int
		want    map[string]uint64 // nil: not recognised
	}{
		"whole": {sample, 0, map[string]uint64{"Ip.Forwarding": 2, "Ip.DefaultTTL": 64, "Ip.InReceives": 81203, "Tcp.RtoAlgorithm": 1,
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
		v, err := procnet.Parse([]byte(c.text))
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

func TestCorpus(t *testing.T)  { codec.Corpus(t, *update, "linux/proc_net_netstat/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, sample) }
func TestFast(t *testing.T)    { codec.Fast(t, sample) }
func FuzzParse(f *testing.F)   { codec.Fuzz(f, sample, "Tcp: A\r\nTcp: 1\r\n", "Tcp: A\nTcp: 1 \n\n") }
