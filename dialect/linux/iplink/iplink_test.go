package iplink_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
	"seaworthy/dialect/linux/iplink"
)

var update = flag.Bool("update", false, "write golden files")

const links = `[{"ifindex":2,"ifname":"eth0","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"],"mtu":9000,"qdisc":"mq","master":"bond0","operstate":"UP","address":"02:00:00:00:00:01","num_tx_queues":8,"gso_max_size":65536,"linkinfo":{"info_slave_kind":"bond","info_slave_data":{"state":"ACTIVE","queue_id":0}},"stats64":{"rx":{"bytes":18446744073709551615,"packets":12,"over_errors":0},"tx":{"bytes":5}}},{"ifindex":7,"link":"bond0","ifname":"bond0.100","flags":[],"mtu":1500,"linkinfo":{"info_kind":"vlan","info_data":{"protocol":"802.1Q","id":100,"flags":["REORDER_HDR"]}},"addr_info":[{"family":"inet","local":"192.0.2.7","prefixlen":24,"scope":"global","label":"bond0.100","valid_life_time":4294967295}]},{}]
`

const routes = `[{"dst":"default","gateway":"192.0.2.1","dev":"eth0","metric":100,"flags":[]},{"dst":"192.0.2.0/24","dev":"eth0","protocol":"kernel","scope":"link","prefsrc":"192.0.2.7","flags":["linkdown"]}]
`

var codec = codectest.Codec[iplink.Links]{
	Parse: iplink.Parse, Format: iplink.Format,
	Report: func(l *iplink.Links) *dialect.Report { return &l.Report },
}

var routeCodec = codectest.Codec[iplink.Routes]{
	Parse: iplink.ParseRoutes, Format: iplink.FormatRoutes,
	Report: func(r *iplink.Routes) *dialect.Report { return &r.Report },
}

func TestParse(t *testing.T) {
	l := codec.RoundTrip(t, []byte(links))
	eth0, vlan := l.Find("eth0"), l.Find("bond0.100")
	if !eth0.Has("UP") || *eth0.MTU != 9000 || eth0.Master != "bond0" || *eth0.Stats.Rx.Bytes != 1<<64-1 || eth0.Stats.Tx.Packets != nil {
		t.Errorf("eth0: got %+v", eth0)
	}
	if vlan.Has("UP") || vlan.Base != "bond0" || *vlan.Info.Data.VLAN != 100 || vlan.Addresses[0].Local != "192.0.2.7" || vlan.Addresses[0].Prefix != 24 {
		t.Errorf("bond0.100: got %+v", vlan)
	}
	r := routeCodec.RoundTrip(t, []byte(routes))
	if r.Routes[0].To != "default" || *r.Routes[0].Metric != 100 || r.Routes[1].Metric != nil || r.Routes[1].Source != "192.0.2.7" {
		t.Errorf("routes: got %+v", r.Routes)
	}
}

func TestNotRecognised(t *testing.T) {
	for _, text := range []string{"", "{}", "[", links[:200], `[{"ifname":7}]`, `[{"mtu":1500}]`, `[null]`, `[1]`, "Device \"eth9\" does not exist.\n",
		`[{"ifname":"a","mtu":1,"mtu":2}]`, `[{"ifname":"a"}] trailing`} {
		if l, err := iplink.Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %+v, %v, want ErrNotRecognised", text, l, err)
		}
	}
	if r, err := iplink.ParseRoutes([]byte(`[{"dev":"eth0"}]`)); !errors.Is(err, dialect.ErrNotRecognised) {
		t.Errorf("a route to nowhere: got %+v, %v", r, err)
	}
}

// A member of an unexpected type is unknown, not zero, and is kept.
func TestUnexpectedType(t *testing.T) {
	l := codec.RoundTrip(t, []byte(`[{"ifname":"a","flags":[],"mtu":-1,"linkinfo":{"info_data":{"id":"0x7"}}}]`+"\n"))
	if a := l.Find("a"); a.MTU != nil || a.Info.Data.VLAN != nil {
		t.Errorf("got mtu %v, id %v, want neither", a.MTU, a.Info.Data.VLAN)
	}
}

// Spaced out as ip -j -p prints it, the values are the same.
func TestPretty(t *testing.T) {
	var spaced bytes.Buffer
	if err := json.Indent(&spaced, []byte(strings.TrimSpace(links)), "", "    "); err != nil {
		t.Fatal(err)
	}
	l, err := iplink.Parse(spaced.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(codectest.Facts(codec.RoundTrip(t, []byte(links))), codectest.Facts(l)); diff != "" {
		t.Errorf("values (-canonical +spaced):\n%s", diff)
	}
	var got, want any
	if err := json.Unmarshal(iplink.Format(l), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(links), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("printed again (-want +got):\n%s", diff)
	}
}

func TestFormatFresh(t *testing.T) {
	mtu, id := uint64(1500), uint64(7)
	got := iplink.Format(&iplink.Links{Links: []*iplink.Link{{Index: 2, Name: "eth0", Flags: []string{"UP"}, MTU: &mtu, State: "UP",
		Info:      &iplink.Info{Kind: "vlan", Data: &iplink.Data{VLAN: &id}},
		Addresses: []*iplink.Address{{Family: "inet", Local: "10.1.0.11", Prefix: 24, Scope: "global"}}}}})
	got = append(got, iplink.FormatRoutes(&iplink.Routes{Routes: []*iplink.Route{{To: "default", Gateway: "10.1.0.1", Device: "eth0"}}})...)
	got = append(got, iplink.Format(&iplink.Links{})...)
	codectest.Golden(t, *update, "fresh.golden", got)
}

func TestEveryValue(t *testing.T) {
	codec.EveryValue(t, []byte(links), ".Links[].") // the empty object is no device
	routeCodec.EveryValue(t, []byte(routes))
}

// Unlike the text codecs, what comes back is the canonical form: parsed again,
// it holds the same values and stays as it is.
func FuzzParse(f *testing.F) {
	f.Add([]byte(links))
	f.Add([]byte(routes))
	f.Add([]byte("[{}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if l, err := iplink.Parse(text); err == nil {
			canonical := iplink.Format(l)
			again, err := iplink.Parse(canonical)
			if err != nil {
				t.Fatalf("own output: %v\n%s", err, canonical)
			}
			if diff := cmp.Diff(codectest.Facts(l), codectest.Facts(again)); diff != "" {
				t.Errorf("values changed (-want +got):\n%s", diff)
			}
			if got := iplink.Format(again); !bytes.Equal(got, canonical) {
				t.Errorf("canonical text changed:\n got %s\nwant %s", got, canonical)
			}
		}
		if r, err := iplink.ParseRoutes(text); err == nil {
			if _, err := iplink.ParseRoutes(iplink.FormatRoutes(r)); err != nil {
				t.Errorf("own routes: %v", err)
			}
		}
	})
}
