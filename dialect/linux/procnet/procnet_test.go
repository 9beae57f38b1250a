package procnet_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
	"seaworthy/dialect/linux/procnet"
)

var codec = codectest.Codec[procnet.Tables]{
	Parse: procnet.Parse, Format: procnet.Format,
	Report: func(t *procnet.Tables) *dialect.Report { return &t.Report },
}

const sample = "Ip: Forwarding DefaultTTL InReceives\nIp: 2 64 81203\n" +
	"Tcp: RtoAlgorithm MaxConn RetransSegs\nTcp: 1 -1 77\n"

func TestParse(t *testing.T) {
	v := codec.RoundTrip(t, []byte(sample))
	want := map[string]uint64{"Ip.Forwarding": 2, "Ip.DefaultTTL": 64, "Ip.InReceives": 81203, "Tcp.RtoAlgorithm": 1, "Tcp.RetransSegs": 77}
	if diff := cmp.Diff(want, v.Counters()); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
	if len(v.Unknown) > 0 {
		t.Errorf("unknown: got %v, want none", v.Unknown)
	}
}

func TestBroken(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want map[string]uint64 // nil: not recognised
	}{
		"empty":             {"", nil},
		"an error":          {"cat: /proc/net/snmp: Permission denied\n", nil},
		"names alone":       {"Tcp: RetransSegs\n", nil},
		"a number missing":  {"Tcp: InSegs OutSegs\nTcp: 5\nUdp: InDatagrams\nUdp: 9\n", map[string]uint64{"Udp.InDatagrams": 9}},
		"another protocol":  {"Tcp: InSegs\nUdp: 5\n", nil},
		"cut off":           {"Udp: InDatagrams\nUdp: 9\nTcp: InSegs OutSegs\nTcp: 5 12", map[string]uint64{"Udp.InDatagrams": 9}},
		"more than 64 bits": {"Tcp: InSegs OutSegs\nTcp: 99999999999999999999 4\n", map[string]uint64{"Tcp.OutSegs": 4}},
		"CRLF":              {"Tcp: InSegs\r\nTcp: 5\r\n", map[string]uint64{"Tcp.InSegs": 5}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.want == nil {
				if v, err := procnet.Parse([]byte(c.text)); !errors.Is(err, dialect.ErrNotRecognised) {
					t.Errorf("got %+v, %v; want ErrNotRecognised", v, err)
				}
				return
			}
			if diff := cmp.Diff(c.want, codec.RoundTrip(t, []byte(c.text)).Counters()); diff != "" {
				t.Errorf("counters (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, []byte(sample)) }
func FuzzParse(f *testing.F)   { codec.Fuzz(f, sample, "Tcp: A\r\nTcp: 1\r\n", "Tcp: A\nTcp: 1 \n\n") }
