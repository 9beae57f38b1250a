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

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linux/iplink"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

func reportOf(l *iplink.Links) *parse.Report { return &l.Report }

func reportOfRoutes(r *iplink.Routes) *parse.Report { return &r.Report }

var (
	codec = codectest.Codec[iplink.Links]{Parse: iplink.Parse, Report: reportOf}
	texts = codectest.Codec[iplink.Links]{Parse: iplink.ParseText, Report: reportOf}

	routeTables = codectest.Codec[iplink.Routes]{Parse: iplink.ParseRoutes, Report: reportOfRoutes}
	routeTexts  = codectest.Codec[iplink.Routes]{Parse: iplink.ParseRoutesText, Report: reportOfRoutes}
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
		if l, err := iplink.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %+v, %v, want ErrNotRecognised", text, l, err)
		}
	}
	if r, err := iplink.ParseRoutes([]byte(`[{"dev":"eth0"}]`)); !errors.Is(err, parse.ErrNotRecognised) {
		t.Errorf("a route to nowhere: got %+v, %v", r, err)
	}
	for _, text := range []string{"", "Option \"-x\" is unknown, try \"ip -help\".\n", "2: eth0: <UP> mtu 15"} {
		if l, err := iplink.ParseText([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
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

// What -d says of a device besides its kind: its bounds and its slot. What stands
// for a device below that ip cannot name is not a name.
func TestDetailsInText(t *testing.T) {
	for name, want := range map[string]string{"x0": "", "x0@NONE": "", "x0@if7": "", "x0@if_up": "if_up", "x0@bond0": "bond0"} {
		l := texts.Read(t, "2: "+name+": <UP> mtu 1500 qdisc mq\n    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff minmtu 68 maxmtu 9190 \n"+
			"    alias to the lab parentbus vio parentdev 30000002 \n")
		if x := l.Links[0]; x.Base != want || x.MinMTU != "68" || x.MaxMTU != "9190" || x.BusDevice != "30000002" || len(l.Unknown) > 0 {
			t.Errorf("%s: got %+v, unknown %v; want it on %q", name, x, l.Unknown, want)
		}
	}
}

// What ip says of a bond beyond its mode: its text and its JSON are read alike.
func TestBonds(t *testing.T) {
	const head = "3: bond0: <MASTER,UP> mtu 1500 qdisc noqueue\n    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n    bond mode "
	for mode, c := range map[string]struct {
		text, json string
		want       iplink.Data
	}{
		"802.3ad": {"miimon 100 arp_interval 0 primary_reselect always ad_num_ports 2 ad_partner_mac 02:00:00:00:00:09",
			`"miimon":100,"arp_interval":0,"primary_reselect":"always","ad_info":{"num_ports":2,"partner_mac":"02:00:00:00:00:09"}`,
			iplink.Data{MIIMon: "100", ARP: "0", LACP: &iplink.LACP{Ports: "2", Partner: "02:00:00:00:00:09"}}},
		"active-backup": {"active_slave eth1 miimon 0 arp_interval 250 primary eth0 primary_reselect always",
			`"active_slave":"eth1","miimon":0,"arp_interval":250,"primary":"eth0"`,
			iplink.Data{MIIMon: "0", ARP: "250", Primary: "eth0", Active: "eth1"}},
	} {
		c.want.Mode = mode
		l := texts.Read(t, head+mode+" "+c.text+"\n")
		j := codec.Read(t, `[{"ifname":"bond0","linkinfo":{"info_kind":"bond","info_data":{"mode":"`+mode+`",`+c.json+`}}}]`)
		for _, got := range []*iplink.Links{l, j} {
			if diff := cmp.Diff(&c.want, got.Links[0].Info.Data); diff != "" || len(got.Unknown) > 0 {
				t.Errorf("%s: unknown %v; (-want +got):\n%s", mode, got.Unknown, diff)
			}
		}
	}
}

// What ip -s and ip -s -s print, older and newer ones, and ip -j -s.
func TestCounters(t *testing.T) {
	const device = "2: eth0: <UP> mtu 1500 qdisc mq state UP qlen 1000\n    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n"
	for name, c := range map[string]struct {
		text string
		want map[string]uint64
	}{
		"older": {device + "    RX: bytes  packets  errors  dropped overrun mcast   \n    980  14  1  2  3  4 \n" +
			"    TX: bytes  packets  errors  dropped carrier collsns \n    770  11  5  6  7  8 \n", map[string]uint64{
			"rx_bytes": 980, "rx_packets": 14, "rx_errors": 1, "rx_dropped": 2, "rx_over_errors": 3, "multicast": 4,
			"tx_bytes": 770, "tx_packets": 11, "tx_errors": 5, "tx_dropped": 6, "tx_carrier_errors": 7, "collisions": 8}},
		"newer, twice -s": {device + "    RX:  bytes packets errors dropped  missed   mcast\n       980      14      1       2       3       4\n" +
			"    RX errors:  length    crc   frame    fifo overrun\n                    21     22      23      24      25\n" +
			"    TX errors: aborted   fifo  window heartbt transns\n                    31     32      33      34       2\n", map[string]uint64{
			"rx_bytes": 980, "rx_packets": 14, "rx_errors": 1, "rx_dropped": 2, "rx_missed_errors": 3, "multicast": 4,
			"rx_length_errors": 21, "rx_crc_errors": 22, "rx_frame_errors": 23, "rx_fifo_errors": 24, "rx_over_errors": 25,
			"tx_aborted_errors": 31, "tx_fifo_errors": 32, "tx_window_errors": 33, "tx_heartbeat_errors": 34, "carrier_changes": 2}},
		"a port with virtual functions": {device + "    RX: bytes  packets  errors  dropped missed  mcast\n    980  14  1  2  3  4\n" +
			"    TX: bytes  packets  errors  dropped carrier collsns\n    770  11  5  6  7  8\n" +
			"    vf 0     link/ether 02:00:00:00:00:02 brd ff:ff:ff:ff:ff:ff, spoof checking on, trust off\n" +
			"    RX: bytes  packets  mcast   bcast   dropped\n    50  51  52  53  54\n    TX: bytes  packets   dropped\n    0  0  0\n" +
			"    vf 1     link/ether 02:00:00:00:00:03 brd ff:ff:ff:ff:ff:ff\n    RX: bytes  packets\n    60  61\n", map[string]uint64{
			"rx_bytes": 980, "rx_packets": 14, "rx_errors": 1, "rx_dropped": 2, "rx_missed_errors": 3, "multicast": 4,
			"tx_bytes": 770, "tx_packets": 11, "tx_errors": 5, "tx_dropped": 6, "tx_carrier_errors": 7, "collisions": 8}},
		"a column without a number": {device + "    RX: bytes  packets  errors\n    980  14\n", map[string]uint64{}},
		"no counters":               {device, map[string]uint64{}},
	} {
		l := texts.Read(t, c.text)
		if diff := cmp.Diff(c.want, l.Links[0].Counted.Counters()); diff != "" || len(l.Unknown) > 0 {
			t.Errorf("%s: unknown %v; counters (-want +got):\n%s", name, l.Unknown, diff)
		}
	}
	l := codec.Read(t, `[{"ifname":"a","stats64":{"rx":{"bytes":9,"over_errors":1,"multicast":2,"dropped":-1},"tx":{"carrier_changes":4}}}]`)
	want := map[string]uint64{"rx_bytes": 9, "rx_over_errors": 1, "multicast": 2, "carrier_changes": 4}
	if diff := cmp.Diff(want, l.Links[0].Counted.Counters()); diff != "" {
		t.Errorf("JSON: counters (-want +got):\n%s", diff)
	}
}

const routeText = "default via 192.0.2.1 dev eth0 proto dhcp metric 100 \n192.0.2.0/24 dev eth0 proto kernel scope link src 192.0.2.7\n" +
	"198.51.100.0/24 proto static \n\tnexthop via 192.0.2.3 dev eth0 weight 1\n\tnexthop via 192.0.2.4 dev eth1 weight 1\n" +
	"unreachable 203.0.113.0/24 metric 1024\nbroadcast 192.0.2.255 dev eth0 table local proto kernel scope link src 192.0.2.7\n" +
	"2001:db8::/32 via fe80::1 dev eth0 metric 1024 pref medium\n    cache mtu 1492 hoplimit 255\n203.0.113.9 via inet6 fe80::2 dev eth1\n"

func TestRoutesText(t *testing.T) {
	want := []*iplink.Route{
		{To: "default", Gateway: "192.0.2.1", Device: "eth0", Protocol: "dhcp", Metric: "100"},
		{To: "192.0.2.0/24", Device: "eth0", Protocol: "kernel"},
		{To: "198.51.100.0/24", Gateway: "192.0.2.3", Device: "eth0", Protocol: "static"},
		{To: "203.0.113.0/24", Metric: "1024", Type: "unreachable"},
		{To: "192.0.2.255", Device: "eth0", Protocol: "kernel", Table: "local", Type: "broadcast"},
		{To: "2001:db8::/32", Gateway: "fe80::1", Device: "eth0", Metric: "1024"},
		{To: "203.0.113.9", Gateway: "fe80::2", Device: "eth1"},
	}
	r := routeTexts.Read(t, routeText)
	if diff := cmp.Diff(want, r.Routes); diff != "" || len(r.Unknown) > 0 {
		t.Errorf("unknown %v; routes (-want +got):\n%s", r.Unknown, diff)
	}
	for _, text := range []string{"", "Error: ipv4: FIB table does not exist.\n", "default via 192.0.2.1",
		"192.0.2.9 dev eth0 lladdr 02:00:00:00:00:09 REACHABLE\n192.0.2.8 dev eth0  FAILED\n"} {
		if r, err := iplink.ParseRoutesText([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("ParseRoutesText(%q): got %+v, %v; want ErrNotRecognised", text, r, err)
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
	routeTexts.Damaged(t, routeText)
}

func TestFast(t *testing.T) {
	codec.Fast(t, links)
	texts.Fast(t, text)
	routeTexts.Fast(t, routeText)
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

func FuzzParseRoutesText(f *testing.F) { routeTexts.Fuzz(f, routeText) }

const briefSample = `lo               UNKNOWN        127.0.0.1/8 ::1/128 
enp1s0f0         UP             192.0.2.17/24 fe80::21b:21ff:fe0a:1/64 
enp1s0f1         DOWN           
bond3.40@bond3   LOWERLAYERDOWN 198.51.100.4/26 
tun0             UNKNOWN        203.0.113.1 peer 203.0.113.2/32 
`

// ip -br has the state and the addresses of a device in one line, or its MAC address and flags.
func TestBrief(t *testing.T) {
	l, err := iplink.ParseBrief([]byte(briefSample))
	if err != nil || len(l.Unknown) > 0 || len(l.Links) != 5 {
		t.Fatalf("got %+v, %v", l, err)
	}
	if x := l.Links[1]; x.State != "UP" || len(x.Addresses) != 2 || x.Addresses[0].Local != "192.0.2.17" || x.Addresses[0].Prefix != 24 || !x.Brief() {
		t.Errorf("got %+v", x)
	}
	if x := l.Links[3]; x.Name != "bond3.40" || x.Base != "bond3" || x.State != "LOWERLAYERDOWN" {
		t.Errorf("got %+v", x)
	}
	l, err = iplink.ParseBrief([]byte("enp1s0f0  UP  00:1b:21:0a:00:01 <BROADCAST,MULTICAST,UP,LOWER_UP> \n"))
	if err != nil || l.Links[0].MAC != "00:1b:21:0a:00:01" || !l.Links[0].Has("LOWER_UP") || l.Links[0].Brief() {
		t.Errorf("ip -br link: got %+v, %v", l, err)
	}
	_, err = iplink.ParseBrief([]byte("enp1s0f0  UP  what is this\n"))
	if !errors.Is(err, parse.ErrNotRecognised) {
		t.Errorf("got %v, want ErrNotRecognised", err)
	}
}

var briefs = codectest.Codec[iplink.Links]{Parse: iplink.ParseBrief, Report: reportOf}

func FuzzParseBrief(f *testing.F) { briefs.Fuzz(f, briefSample, "e UP 00:00:00:00:00:01 <X>\r\n") }
