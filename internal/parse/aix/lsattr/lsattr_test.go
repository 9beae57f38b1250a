package lsattr

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[Listing]{
	Parse:  Parse,
	Report: func(l *Listing) *parse.Report { return &l.Report },
}

var update = flag.Bool("update", false, "write golden files")

func TestCorpus(t *testing.T) {
	codec.Corpus(t, *update, "lsattr_if/*.txt")
	for _, file := range codectest.Files(t, "lsattr_if/*.txt") {
		for _, a := range codec.Read(t, codectest.Text(t, file)).Attributes {
			switch {
			case a.Value == nil:
				t.Errorf("%s: %s: value unknown in a whole table", file, a.Name)
			case strings.Contains(*a.Value, " "):
				t.Errorf("%s: %s: value %q holds a blank", file, a.Name, *a.Value)
			}
		}
	}
}

const unknown = "\x00" // a value that must not be known

func TestValues(t *testing.T) {
	for _, c := range []struct {
		name, text string
		form       Form
		want       map[string]string
	}{
		{"interface", `alias4                     IPv4 Alias including Subnet Mask           True
mtu           1500         Maximum IP Packet Size for This Device     True
mtu_bypass    off          Enable/Disable largesend for virtual       True
netaddr       192.0.2.17   Internet Address                           True
rfc1323                    Enable/Disable TCP RFC 1323 Window Scaling True+
tcp_recvspace              Set Socket Buffer Space for Receiving      False
`, El(), map[string]string{"alias4": "", "mtu": "1500", "mtu_bypass": "off", "netaddr": "192.0.2.17", "rfc1323": "", "tcp_recvspace": ""}},
		{"one row set", "mtu_bypass on Enable/Disable largesend for virtual Ethernet True\n", El(), map[string]string{"mtu_bypass": "on"}},
		{"one row empty", "rfc1323  Enable/Disable TCP RFC 1323 Window Scaling True\n", El(), map[string]string{"rfc1323": ""}},
		{"one row through grep", "large_send      no                Request Tx TCP segment offload                   True\n", El(), map[string]string{"large_send": "no"}},
		{"two empty rows", `tcp_recvspace  Set Socket Buffer Space for Receiving True
tcp_sendspace  Set Socket Buffer Space for Sending   True
`, El(), map[string]string{"tcp_recvspace": "", "tcp_sendspace": ""}},
		{"two equal values", `large_receive yes Enable receive TCP segment aggregation     True
large_send    yes Enable hardware Transmit TCP segmentation  True
`, El(), map[string]string{"large_receive": "yes", "large_send": "yes"}},
		{"collapsed", `mtu 1500 Maximum IP Packet Size for This Device True
rfc1323 Enable/Disable TCP RFC 1323 Window Scaling True
netaddr6 IPv6 Internet Address True
hash_mode src_dst_port Determines how outgoing adapter is chosen True
`, El(), map[string]string{"mtu": "1500", "rfc1323": unknown, "netaddr6": unknown, "hash_mode": "src_dst_port"}},
		{"blanks and braces", `adapter_names ent0,ent1          EtherChannel Adapters     True
alias         {one two}          Names for it              True
authority                        Authorized Users          True
mode          8023ad             EtherChannel mode         True
text          two words          Free text                 True
`, El(), map[string]string{"adapter_names": "ent0,ent1", "alias": "{one two}", "authority": "", "mode": "8023ad", "text": "two words"}},
		{"overlong value", `alias4  192.0.2.1,255.255.255.0,pushed Alias True
mtu     1500      Size      True
netaddr 192.0.2.1 Address   True
state   up        Status    True
`, El(), map[string]string{"alias4": "192.0.2.1,255.255.255.0,pushed", "mtu": "1500", "netaddr": "192.0.2.1", "state": "up"}},
		{"heading alone decides", `attribute value description                                user_settable

rfc1323         Enable/Disable TCP RFC 1323 Window Scaling True
`, EHl(), map[string]string{"rfc1323": ""}},
		{"defaults with heading", `attribute  deflt description           user_settable

mtu_bypass off   Enable/Disable largesend  True
`, EHl(), map[string]string{"mtu_bypass": "off"}},
		{"last column lost", `large_receive yes        Enable receive TCP segment aggregation
largesend     1          Enable Hardware Transmit TCP Resegmentation
`, El(), map[string]string{"large_receive": "yes", "largesend": "1"}},
		{"one row, last column lost", "flow_ctrl       yes               Request flow control\n", El(), map[string]string{"flow_ctrl": "yes"}},
		{"localised", `mtu     1500 Größte Paketlänge für dieses Gerät True
rfc1323      Fensterskalierung ein- oder ausschalten True
state   up   Zustand der Schnittstelle True
`, El(), map[string]string{"mtu": "1500", "rfc1323": "", "state": "up"}},
		{"TABs", "mtu\t1500\tMaximum size\tTrue\nrfc1323\t\tWindow scaling\tTrue\n", El(), map[string]string{"mtu": "1500", "rfc1323": ""}},
		{"error inside", `mtu     1500 Maximum IP Packet Size True
lsattr: 0514-528 The "mtu_bypass" attribute does not exist in the
	predefined device configuration database.
rfc1323      Window Scaling         True
`, El(), map[string]string{"mtu": "1500", "rfc1323": ""}},
		{"-F colon", "netaddr6:fe80::1:IPv6 Internet Address:True\nrfc1323::Window Scaling:True\n", F("attribute:value:description:user_settable"), map[string]string{"netaddr6": "fe80::1", "rfc1323": ""}},
		{"-F colon, cannot be separated", "x:one two:three four:five:True\n", F("attribute:value:description:user_settable"), map[string]string{"x": unknown}},
		{"-F pairs", "mtu 1500\nmtu_bypass on\n", F("attribute value"), map[string]string{"mtu": "1500", "mtu_bypass": "on"}},
		{"-O", "#mtu:rfc1323\n1500:\n", Form{Kind: Names}, map[string]string{"mtu": "1500", "rfc1323": ""}},
		{"-O, cannot be separated", "#mtu:netaddr6\n1500:::1\n", Form{Kind: Names}, map[string]string{"mtu": unknown, "netaddr6": unknown}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := Parse([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.form, l.Form); d != "" {
				t.Errorf("form differs (-want +got):\n%s", d)
			}
			got := map[string]string{}
			for _, a := range l.Attributes {
				got[a.Name] = unknown
				if a.Value != nil {
					got[a.Name] = *a.Value
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("values differ (-want +got):\n%s", d)
			}
			for _, v := range c.want {
				if v == unknown && len(l.Warnings) == 0 {
					t.Error("an unknown value came without a warning")
				}
			}
		})
	}
}

func TestAllowed(t *testing.T) {
	text := "60...65535 (+1)\n"
	l, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if l.Form.Kind != Allowed || len(l.Allowed) != 1 {
		t.Fatalf("got %+v", l)
	}
	if d := cmp.Diff(&Range{Low: 60, High: 65535, Step: 1}, l.Allowed[0].Range); d != "" {
		t.Errorf("range differs (-want +got):\n%s", d)
	}
	l, err = Parse([]byte("on\noff\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Allowed; len(got) != 2 || got[0].Value != "on" || got[1].Value != "off" {
		t.Errorf("enumeration: got %+v", got)
	}
}

func TestErrorsAreNeverValues(t *testing.T) {
	for _, text := range []string{
		"lsattr: 0514-519 The following device was not found in the customized\n\tdevice configuration database:\n\tent99\n",
		"ksh: lsattr:  not found.\n",
		"lsattr: 0514-516 Device configuration database lookup error.\n",
	} {
		for name, read := range map[string]func([]byte) (*Listing, error){"Parse": Parse, "ParseAllowed": ParseAllowed} {
			l, err := read([]byte(text))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if len(l.Attributes)+len(l.Allowed) > 0 || len(l.Warnings) == 0 {
				t.Errorf("%s: %q gave values %+v %+v, warnings %v", name, text, l.Attributes, l.Allowed, l.Warnings)
			}
		}
	}
}

// forms are the same attributes in the forms of lsattr and lsdev: -El, -EHl, -F, -O, and one attribute of lsdev -attr.
var forms = []string{
	`mtu        1500 Maximum IP Packet Size for This Device        True
mtu_bypass on   Enable/Disable largesend for virtual Ethernet True
rfc1323         Enable/Disable TCP RFC 1323 Window Scaling    True
busid      7    Bus number                                    False
`,
	`attribute  value description                                   user_settable

mtu        1500  Maximum IP Packet Size for This Device        True
mtu_bypass on    Enable/Disable largesend for virtual Ethernet True
rfc1323          Enable/Disable TCP RFC 1323 Window Scaling    True
busid      7     Bus number                                    False
`,
	`mtu:1500:Maximum IP Packet Size for This Device:True
mtu_bypass:on:Enable/Disable largesend for virtual Ethernet:True
rfc1323::Enable/Disable TCP RFC 1323 Window Scaling:True
busid:7:Bus number:False
`,
	`#mtu:mtu_bypass:rfc1323:busid
1500:on::7
`,
	`value

1500
on

7
`,
}

func TestDamaged(t *testing.T) {
	for _, text := range forms {
		codec.Damaged(t, text)
	}
	codec.Damaged(t, "yes\nno\n")
}

func TestFast(t *testing.T) { codec.Fast(t, forms[0]) }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n\n", "no such thing here at all\n", "<html><body>Not found today</body></html>\n", "\x00\x01 \x02\n"} {
		if l, err := Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, l, err, parse.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) {
	seeds := []string{"#a:b\r\n1\r\n60...70 (+1)", "a\t\tb\tTrue\r\nlsattr: 0514-519 x\n\ty"}
	codec.Fuzz(f, append(seeds, forms...)...)
}

func FuzzParseAllowed(f *testing.F) {
	allowed := codec
	allowed.Parse = ParseAllowed
	allowed.Fuzz(f, "60...65535 (+1)\n", "on\noff\n", "0x1...0xf")
}

// A copy may have blanks around the lines of -R.
func TestAllowedAmongBlanks(t *testing.T) {
	text := "    1...4096 (+1)   \n\tmin \n"
	l, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Allowed) != 2 || l.Allowed[0].Range == nil || l.Allowed[0].Range.High != 4096 || l.Allowed[1].Value != "min" {
		t.Errorf("got %+v, want 1...4096 and min", l.Allowed)
	}
}

// The first word of a description is not the value of an empty one.
func TestDescriptionIsNoValue(t *testing.T) {
	l, err := Parse([]byte("pvid_adapter Default virtual adapter to use for non-VLAN-tagged packets True\nmode default EtherChannel mode of operation True\n"))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := l.Value("pvid_adapter"); ok && v != "" {
		t.Errorf("pvid_adapter: got %q, want nothing or not known", v)
	}
	if v, ok := l.Value("mode"); !ok || v != "default" {
		t.Errorf("mode: got %q %v, want default", v, ok)
	}
}

// A value that lost a byte, and a row that swallowed the next one, say nothing.
func TestRowsNotTrusted(t *testing.T) {
	const good = "monitor   off  Enable/Disable monitor attribute       True\nmtu       1500 Maximum IP Packet Size for This Device True\nprefixlen      Prefix Length for IPv6                 True\n"
	for name, c := range map[string]struct{ text, attribute string }{
		"two rows in one": {strings.Replace(good, "attribute       True\n", "attribute       True", 1), "monitor"},
		"a byte lost":     {strings.Replace(good, "prefixlen      P", "prefixlen \ufffd    P", 1), "prefixlen"},
	} {
		l, err := Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := l.Value(c.attribute); ok {
			t.Errorf("%s: %s: got %q, want it unknown", name, c.attribute, v)
		}
		if len(l.Warnings) == 0 {
			t.Errorf("%s: no warning", name)
		}
	}
}

// A line without a letter or a digit is no value.
func TestAllowedLeftOut(t *testing.T) {
	l, err := ParseAllowed([]byte("yes\n......\nno\n"))
	if err != nil || len(l.Allowed) != 2 || len(l.Unknown) != 1 {
		t.Errorf("%v: got %v, not understood %v", err, l.Allowed, l.Unknown)
	}
}
