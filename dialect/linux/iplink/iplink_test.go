package iplink_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/linux/iplink"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

func reportOf(l *iplink.Links) *dialect.Report { return &l.Report }

var (
	codec = codectest.Codec[iplink.Links]{Parse: iplink.Parse, Report: reportOf}
	texts = codectest.Codec[iplink.Links]{Parse: iplink.ParseText, Report: reportOf}

	routeTables = codectest.Codec[iplink.Routes]{
		Parse: iplink.ParseRoutes, Report: func(r *iplink.Routes) *dialect.Report { return &r.Report },
	}
)

const links = `[{"ifindex":2,"ifname":"eth0","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"],"mtu":9000,"qdisc":"mq","master":"bond0",` +
	`"operstate":"UP","txqlen":1000,"min_mtu":68,"max_mtu":9000,"link_type":"ether","address":"02:00:00:00:00:01","parentdev":"30000002",` +
	`"linkinfo":{"info_slave_kind":"bond","info_slave_data":{"state":"ACTIVE","queue_id":0}}},` +
	`{"ifindex":7,"link":"bond0","ifname":"bond0.100","flags":[],"mtu":1500,"linkinfo":{"info_kind":"vlan","info_data":{"protocol":"802.1Q","id":100,` +
	`"flags":["REORDER_HDR"]}},"addr_info":[{"family":"inet","local":"192.0.2.7","prefixlen":24,"scope":"global","label":"bond0.100"}]},{}]
`

const routes = `[{"dst":"default","gateway":"192.0.2.1","dev":"eth0","metric":100,"flags":[]},` +
	`{"dst":"192.0.2.0/24","dev":"eth0","protocol":"kernel","scope":"link","prefsrc":"192.0.2.7","flags":["linkdown"]}]
`

func TestParse(t *testing.T) {
	want := []*iplink.Link{
		{Name: "eth0", Flags: []string{"BROADCAST", "MULTICAST", "UP", "LOWER_UP"}, MTU: "9000", Master: "bond0", State: "UP", TxQueue: "1000",
			MinMTU: "68", MaxMTU: "9000", Type: "ether", MAC: "02:00:00:00:00:01", BusDevice: "30000002", Info: &iplink.Info{}},
		{Name: "bond0.100", Base: "bond0", Flags: []string{}, MTU: "1500", Info: &iplink.Info{Kind: "vlan", Data: &iplink.Data{VLAN: "100"}},
			Addresses: []*iplink.Address{{Family: "inet", Local: "192.0.2.7", Prefix: 24, Scope: "global"}}},
		{},
	}
	l := codec.Read(t, links)
	if diff := cmp.Diff(want, l.Links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if !l.Links[0].Has("UP") || l.Links[1].Has("UP") {
		t.Errorf("UP: got %v and %v, want it set on eth0 alone", l.Links[0].Flags, l.Links[1].Flags)
	}
	var spaced bytes.Buffer // as ip -j -p prints it
	if err := json.Indent(&spaced, []byte(strings.TrimSpace(links)), "", "    "); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, codec.Read(t, spaced.String()).Links); diff != "" {
		t.Errorf("spaced (-want +got):\n%s", diff)
	}
	r, err := iplink.ParseRoutes([]byte(routes))
	wantRoutes := []*iplink.Route{{To: "default", Gateway: "192.0.2.1", Device: "eth0", Metric: "100"},
		{To: "192.0.2.0/24", Device: "eth0", Protocol: "kernel"}}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantRoutes, r.Routes); diff != "" {
		t.Errorf("routes (-want +got):\n%s", diff)
	}
}

func TestNotRecognised(t *testing.T) {
	for _, text := range []string{"", "{}", "[", links[:200], `[{"mtu":1500}]`, `[null]`, `[1]`, "Device \"eth9\" does not exist.\n",
		`[{"ifname":"a"}] trailing`} {
		if l, err := iplink.Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %+v, %v, want ErrNotRecognised", text, l, err)
		}
	}
	if r, err := iplink.ParseRoutes([]byte(`[{"dev":"eth0"}]`)); !errors.Is(err, dialect.ErrNotRecognised) {
		t.Errorf("a route to nowhere: got %+v, %v", r, err)
	}
	for _, text := range []string{"", "Option \"-x\" is unknown, try \"ip -help\".\n", "2: eth0: <UP> mtu 15"} {
		if l, err := iplink.ParseText([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("ParseText(%q): got %+v, %v; want ErrNotRecognised", text, l, err)
		}
	}
}

// A member of an unexpected type is unknown, not zero; what follows it is read.
func TestUnexpectedType(t *testing.T) {
	l := codec.Read(t, `[{"ifname":"a","flags":[],"mtu":-1,"linkinfo":{"info_data":{"id":"0x7"}},"master":"br0"}]`)
	if a := l.Links[0]; a.MTU != "" || a.Info.Data.VLAN != "" || a.Master != "br0" {
		t.Errorf("got mtu %q, id %q, master %q, want neither number and br0", a.MTU, a.Info.Data.VLAN, a.Master)
	}
}

const text = "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000\n" +
	"    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n    inet 127.0.0.1/8 scope host lo\n       valid_lft forever preferred_lft forever\n" +
	"2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq master bond0 state UP qlen 5000\n" +
	"    link/ether 32:43:01:05:00:00 brd ff:ff:ff:ff:ff:ff promiscuity 0 \n" +
	"7: bond0.120@bond0: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state LOWERLAYERDOWN\n" +
	"    link/ether 32:43:01:05:00:00 brd ff:ff:ff:ff:ff:ff\n    vlan protocol 802.1Q id 120 <REORDER_HDR> \n" +
	"    inet 198.51.100.15/24 brd 198.51.100.255 scope global bond0.120\n       valid_lft forever preferred_lft forever\n" +
	"    inet6 2001:db8::15/64 scope global \n       valid_lft forever preferred_lft forever\n"

func TestParseText(t *testing.T) {
	l := texts.Read(t, text)
	if len(l.Unknown) > 0 || len(l.Links) != 3 {
		t.Fatalf("got %d devices, unknown %v; want 3 and none", len(l.Links), l.Unknown)
	}
	e, v := l.Links[1], l.Links[2]
	got := fmt.Sprint(e.Name, e.MTU, e.Flags, e.Master, e.TxQueue, e.State, " ", v.Name, v.Base, v.TxQueue, len(v.Addresses),
		v.Addresses[0].Local, v.Addresses[0].Scope, v.Addresses[1].Family, v.Info.Data.VLAN, v.Line)
	want := "eth09000[BROADCAST MULTICAST UP LOWER_UP]bond05000UP bond0.120bond02198.51.100.15globalinet61207"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What -d says of the kind, however much follows, and not what it says of ports.
func TestKindsInText(t *testing.T) {
	device := "2: x0: <UP> mtu 1500 qdisc noqueue\n    link/ether 32:43:01:05:00:00 brd ff:ff:ff:ff:ff:ff promiscuity 1\n"
	for line, want := range map[string]string{
		"    veth \n":                               "veth",
		"    tun type tap pi off vnet_hdr on\n":     "tun",
		"    openvswitch addrgenmode eui64\n":       "openvswitch",
		"    bridge forward_delay 1500\n":           "bridge",
		"    openvswitch_slave addrgenmode eui64\n": "",
		"    bridge_slave state forwarding\n":       "",
		"    altname veth\n":                        "",
		"":                                          "",
	} {
		l := texts.Read(t, device+line)
		got := ""
		if l.Links[0].Info != nil {
			got = l.Links[0].Info.Kind
		}
		if got != want || len(l.Unknown) > 0 {
			t.Errorf("%q: got %q, unknown %v, want %q", line, got, l.Unknown, want)
		}
	}
}

func TestCorpus(t *testing.T) { texts.Corpus(t, *update, "linux/ip_addr/*", "linux/ip_link/hotsos*") }

// The last line of this one has no end: what it says is not taken.
func TestCutOff(t *testing.T) {
	for _, file := range codectest.Files(t, "linux/ip_link/ntc*") {
		l := texts.Read(t, codectest.Text(t, file))
		if len(l.Links) != 3 || len(l.Unknown) != 1 || l.Links[2].MAC != "" {
			t.Errorf("got %d devices, unknown %v, want 3 and the last line", len(l.Links), l.Unknown)
		}
	}
}

func TestDamaged(t *testing.T) {
	codec.Damaged(t, links)
	texts.Damaged(t, text)
}

func TestFast(t *testing.T) {
	codec.Fast(t, links)
	texts.Fast(t, text)
}

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, links, routes, "[{}]")
}

func FuzzParseRoutes(f *testing.F) {
	routeTables.Fuzz(f, routes, `[{"dst":"default","metric":1e9}]`)
}

func FuzzParseText(f *testing.F) {
	texts.Fuzz(f, text, "1: a: <> mtu 0\r\n", "1: a@b: <X> mtu 1 x y z\n inet 1.2.3.4\n")
}
