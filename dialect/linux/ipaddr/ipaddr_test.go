package ipaddr_test

import (
	"errors"
	"fmt"
	"testing"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
	"seaworthy/dialect/linux/ipaddr"
)

var codec = codectest.Codec[ipaddr.Links]{
	Parse: ipaddr.Parse, Format: ipaddr.Format,
	Report: func(l *ipaddr.Links) *dialect.Report { return &l.Report },
}

const sample = "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000\n" +
	"    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n    inet 127.0.0.1/8 scope host lo\n       valid_lft forever preferred_lft forever\n" +
	"2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq master bond0 state UP qlen 5000\n" +
	"    link/ether 32:43:01:05:00:00 brd ff:ff:ff:ff:ff:ff promiscuity 0 \n" +
	"7: bond0.120@bond0: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state LOWERLAYERDOWN\n" +
	"    link/ether 32:43:01:05:00:00 brd ff:ff:ff:ff:ff:ff\n    vlan protocol 802.1Q id 120 <REORDER_HDR> \n" +
	"    inet 198.51.100.15/24 brd 198.51.100.255 scope global bond0.120\n       valid_lft forever preferred_lft forever\n" +
	"    inet6 2001:db8::15/64 scope global \n       valid_lft forever preferred_lft forever\n"

func TestParse(t *testing.T) {
	l := codec.RoundTrip(t, []byte(sample))
	if len(l.Unknown) > 0 || len(l.Links) != 3 {
		t.Fatalf("got %d devices, unknown %v; want 3 and none", len(l.Links), l.Unknown)
	}
	e, v := l.Links[1], l.Links[2]
	got := fmt.Sprint(e.Name, e.MTU, e.Flags, e.Word("master"), e.Word("qlen"), e.Word("state"), " ", v.Name, v.Base, v.Word("qlen"), len(v.Lines), v.Lines[1].Value, v.Lines[2].Kind)
	want := "eth09000 [BROADCAST MULTICAST UP LOWER_UP]bond05000UP bond0.120bond03198.51.100.15/24inet6"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, text := range []string{"", "Option \"-x\" is unknown, try \"ip -help\".\n", "2: eth0: <UP> mtu 15"} {
		if l, err := ipaddr.Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %+v, %v; want ErrNotRecognised", text, l, err)
		}
	}
}

func TestFormatFresh(t *testing.T) {
	l := &ipaddr.Links{Links: []*ipaddr.Link{{Index: 2, Name: "eth0", Flags: []string{"UP"}, MTU: 1500, Words: []ipaddr.Word{{Name: "qdisc", Value: "mq"}},
		Lines: []*ipaddr.Line{{Kind: "inet", Value: "192.0.2.7/24", Rest: "scope global eth0"}}}}}
	want := "2: eth0: <UP> mtu 1500 qdisc mq\n    inet 192.0.2.7/24 scope global eth0\n"
	if got := string(ipaddr.Format(l)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, []byte(sample)) }
func FuzzParse(f *testing.F) {
	codec.Fuzz(f, sample, "1: a: <> mtu 0\r\n", "1: a@b: <X> mtu 1 x y z\n inet 1.2.3.4\n")
}
