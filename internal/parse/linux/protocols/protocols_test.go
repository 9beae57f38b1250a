package protocols_test

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linux/protocols"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

func report(c *protocols.Counters) *parse.Report { return &c.Report }

var (
	sentences = codectest.Codec[protocols.Counters]{Parse: protocols.Parse, Report: report}
	nstat     = codectest.Codec[protocols.Counters]{Parse: protocols.ParseNstat, Report: report}
)

const netstat = "Ip:\n    Forwarding: 2\n    812 total packets received\n    7 packet reassembles failed\n" +
	"Icmp:\n    ICMP input histogram:\n        destination unreachable: 4\n" +
	"Tcp:\n    5 passive connection openings\n    91 segments retransmited\n    3 bad segments received.\nUdpLite:\n" +
	"TcpExt:\n    14 times the listen queue of a socket overflowed\n    Quick ack mode was activated 25 times\n    TCPBacklogDrop: 6\n" +
	"    TCP ran low on memory 2 times\n"

const text = "#kernel\nIpInReceives                    81203              0.0\nTcpRetransSegs                  77                 1.5\n" +
	"TcpExtListenDrops               3                  0.0\nIp6OutNoRoutes                  0                  0.0\n"

const inJSON = `{"kernel":{"TcpRetransSegs":77,"TcpExtListenDrops":3,"UdpLite6InErrors":0}}` + "\n"

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		parse   func([]byte) (*protocols.Counters, error)
		text    string
		unknown int
		want    map[string]uint64 // nil: not recognised
	}{
		"netstat -s": {protocols.Parse, netstat, 0, map[string]uint64{"Ip.Forwarding": 2, "Ip.InReceives": 812, "Ip.ReasmFails": 7, "Tcp.PassiveOpens": 5,
			"Tcp.RetransSegs": 91, "Tcp.InErrs": 3, "TcpExt.ListenOverflows": 14, "TcpExt.TCPBacklogDrop": 6, "TcpExt.TCPMemoryPressures": 2}},
		"two numbers, a sentence without one": {protocols.Parse, "Tcp:\n    1 of 2 things\n    nothing at all\n    4 resets sent\n", 2,
			map[string]uint64{"Tcp.OutRsts": 4}},
		"AIX has sentences, too": {protocols.Parse, "tcp:\n\t81203 packets sent\n", 0, nil},
		"cut off":                {protocols.Parse, "Tcp:\n    4 resets sent\n    91 segments retr", 1, map[string]uint64{"Tcp.OutRsts": 4}},
		"nstat": {protocols.ParseNstat, text, 0, map[string]uint64{"Ip.InReceives": 81203, "Tcp.RetransSegs": 77, "TcpExt.ListenDrops": 3,
			"Ip6.OutNoRoutes": 0}},
		"nstat --json":         {protocols.ParseNstat, inJSON, 0, map[string]uint64{"Tcp.RetransSegs": 77, "TcpExt.ListenDrops": 3, "UdpLite6.InErrors": 0}},
		"nstat, a line of it":  {protocols.ParseNstat, "TcpRetransSegs 77 0.0\nTcpExtListenDrops 3\n", 1, map[string]uint64{"Tcp.RetransSegs": 77}},
		"a fraction":           {protocols.ParseNstat, `{"kernel":{"TcpInSegs":1.5}}`, 0, nil},
		"another command":      {protocols.ParseNstat, `{"ports":{}}`, 0, nil},
		"nothing":              {protocols.ParseNstat, "#kernel\n", 0, nil},
		"nothing of netstat's": {protocols.Parse, "Tcp:\n", 0, nil},
	} {
		v := codectest.Codec[protocols.Counters]{Parse: c.parse}.Try(t, name, c.text, c.want != nil)
		if v == nil {
			continue
		}
		if diff := cmp.Diff(c.want, v.Values); diff != "" || len(v.Unknown) != c.unknown {
			t.Errorf("%s: unknown %v; counters (-want +got):\n%s", name, v.Unknown, diff)
		}
	}
}

func TestCorpus(t *testing.T) {
	codectest.Codec[protocols.Counters]{Report: report, Parse: func(text []byte) (*protocols.Counters, error) {
		if v, err := protocols.ParseNstat(text); err == nil {
			return v, nil
		}
		return protocols.Parse(text)
	}}.Corpus(t, *update, "linux/netstat_s/*", "linux/nstat/*")
}

func TestDamaged(t *testing.T) {
	sentences.Damaged(t, netstat)
	nstat.Damaged(t, text)
}

func TestFast(t *testing.T) {
	sentences.Fast(t, netstat)
	nstat.Fast(t, text)
}

func FuzzParse(f *testing.F)      { sentences.Fuzz(f, netstat) }
func FuzzParseNstat(f *testing.F) { nstat.Fuzz(f, text, inJSON) }
