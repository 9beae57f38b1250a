package qdisc_test

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linux/qdisc"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[qdisc.Table]{Parse: qdisc.Parse, Report: func(t *qdisc.Table) *parse.Report { return &t.Report }}

const text = "qdisc noqueue 0: dev lo root refcnt 2 \n Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0) \n backlog 0b 0p requeues 0 \n" +
	"qdisc mq 0: dev eth0 root \n Sent 98200 bytes 712 pkt (dropped 31, overlimits 0 requeues 4) \n backlog 0b 0p requeues 4 \n" +
	"qdisc fq_codel 0: dev eth0 parent :1 limit 10240p flows 1024 quantum 1514 target 5ms interval 100ms memory_limit 32Mb ecn drop_batch 64 \n" +
	" Sent 98200 bytes 712 pkt (dropped 31, overlimits 0 requeues 4) \n backlog 0b 0p requeues 4 \n" +
	"  maxpacket 1514 drop_overlimit 0 new_flow_count 3 ecn_mark 0\n  new_flows_len 0 old_flows_len 0\n" +
	"qdisc ingress ffff: dev eth0 parent ffff:fff1 ---------------- \n"

const inJSON = `[{"kind":"fq","handle":"8001:","dev":"eth1","root":true,"refcnt":2,"options":{"limit":10000},"bytes":98200,"packets":712,` +
	`"drops":31,"overlimits":0,"requeues":4,"backlog":0,"qlen":0},{"kind":"noqueue","handle":"0:","dev":"lo","root":true,"options":{}}]` + "\n"

func TestParse(t *testing.T) {
	n := func(n uint64) *uint64 { return &n }
	for name, c := range map[string]struct {
		text    string
		unknown int
		want    []*qdisc.Discipline // nil: not recognised
	}{
		"text": {text, 0, []*qdisc.Discipline{
			{Kind: "noqueue", Device: "lo", Root: true, Packets: n(0), Dropped: n(0), Held: n(0), Requeues: n(0)},
			{Kind: "mq", Device: "eth0", Root: true, Packets: n(712), Dropped: n(31), Held: n(0), Requeues: n(4)},
			{Kind: "fq_codel", Device: "eth0", Packets: n(712), Dropped: n(31), Held: n(0), Requeues: n(4)},
			{Kind: "ingress", Device: "eth0"},
		}},
		"JSON": {inJSON, 0, []*qdisc.Discipline{
			{Kind: "fq", Device: "eth1", Root: true, Packets: n(712), Dropped: n(31), Held: n(0), Requeues: n(4)},
			{Kind: "noqueue", Device: "lo", Root: true},
		}},
		"without -s": {"qdisc pfifo_fast 0: dev eth0 root refcnt 2 bands 3\n", 0, []*qdisc.Discipline{{Kind: "pfifo_fast", Device: "eth0", Root: true}}},
		"asked of one device": {"qdisc fq 8001: root refcnt 2 limit 10000p \n Sent 9 bytes 1 pkt (dropped 2, overlimits 0 requeues 3) \n", 0,
			[]*qdisc.Discipline{{Kind: "fq", Root: true, Packets: n(1), Dropped: n(2), Held: n(0), Requeues: n(3)}}},
		"a damaged count": {"qdisc fq 0: dev a root\n Sent x bytes 1 pkt\n", 1, []*qdisc.Discipline{{Kind: "fq", Device: "a", Root: true}}},
		"cut off":         {"qdisc fq 0: dev a root\nqdisc fq 0: dev b ro", 1, []*qdisc.Discipline{{Kind: "fq", Device: "a", Root: true}}},
		"nothing":         {"", 0, nil},
		"an error":        {"Cannot find device \"eth9\"\n", 0, nil},
		"other JSON":      {`[{"ifname":"eth0"}]`, 0, nil},
		"a null":          {`[null]`, 0, nil},
	} {
		v := codec.Try(t, name, c.text, c.want != nil)
		if v == nil {
			continue
		}
		if diff := cmp.Diff(c.want, v.Disciplines); diff != "" || len(v.Unknown) != c.unknown {
			t.Errorf("%s: unknown %v; disciplines (-want +got):\n%s", name, v.Unknown, diff)
		}
	}
}

// The forms of iproute2 5.10 to 6.12.
func TestLimits(t *testing.T) {
	for text, want := range map[string]qdisc.Discipline{
		"qdisc tbf 8001: dev e root refcnt 2 rate 50Mbit burst 32Kb lat 50ms \n":                                   {Limits: "rate 50Mbit", Rate: 50e6},
		"qdisc tbf 8001: root refcnt 2 rate 2500Kbit burst 32Kb lat 50ms \n":                                       {Limits: "rate 2500Kbit", Rate: 2500e3},
		"qdisc netem 8001: dev e root refcnt 2 limit 1000 delay 20ms  5ms loss 1% rate 100Mbit\n":                  {Limits: "delay 20ms loss 1% rate 100Mbit", Rate: 100e6},
		"qdisc netem 8001: dev e root refcnt 2 limit 1000\n":                                                       {},
		"qdisc cake 8001: dev e root refcnt 2 bandwidth 100Mbit diffserv3 triple-isolate rtt 100ms raw \n":         {Limits: "bandwidth 100Mbit", Rate: 100e6},
		"qdisc cake 8001: dev e root refcnt 2 bandwidth unlimited diffserv3 triple-isolate rtt 100ms raw \n":       {},
		"qdisc fq 8001: dev e root refcnt 2 limit 10000p quantum 3028b low_rate_threshold 550Kbit maxrate 2Gbit\n": {Limits: "maxrate 2Gbit", Rate: 2e9},
		"qdisc fq 8001: dev e root refcnt 2 limit 10000p quantum 3028b low_rate_threshold 550Kbit\n":               {},
		"qdisc tbf 8001: dev e root refcnt 2 rate 99999999999999999999Gbit burst 32Kb lat 50ms \n":                 {Limits: "rate 99999999999999999999Gbit"},
		`[{"kind":"tbf","dev":"e","root":true,"options":{"rate":6250000,"burst":32762,"lat":50000}}]`:              {Limits: "rate 6250000 bytes/s", Rate: 50e6},
		`[{"kind":"netem","dev":"e","root":true,"options":{"limit":1000,"delay":{"delay":0.02},"rate":{"rate":125000}}}]`: {
			Limits: "delay rate 125000 bytes/s", Rate: 1e6},
		`[{"kind":"cake","dev":"e","root":true,"options":{"bandwidth":"unlimited"}}]`: {},
	} {
		table, err := qdisc.Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if d := table.Disciplines[0]; d.Limits != want.Limits || d.Rate != want.Rate {
			t.Errorf("%s: got %q and %d bit/s, want %q and %d", text, d.Limits, d.Rate, want.Limits, want.Rate)
		}
	}
}

func TestCorpus(t *testing.T)  { codec.Corpus(t, *update, "linux/tc_qdisc/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, text) }
func TestFast(t *testing.T)    { codec.Fast(t, text) }
func FuzzParse(f *testing.F)   { codec.Fuzz(f, text, inJSON) }
