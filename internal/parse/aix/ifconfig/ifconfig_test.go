package ifconfig_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/ifconfig"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[ifconfig.Config]{
	Parse:  ifconfig.Parse,
	Report: func(c *ifconfig.Config) *parse.Report { return &c.Report },
}

const sample = `en0: flags=1e084863,4c0<UP,BROADCAST,NOTRAILERS,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT,CHECKSUM_OFFLOAD(ACTIVE),LARGESEND,CHAIN>
	inet 192.0.2.17 netmask 0xffffff00 broadcast 192.0.2.255
	inet 192.0.2.18 netmask 0xffffffff broadcast 192.0.2.18
	inet6 fe80::a:b%2/64
	 tcp_sendspace 262144 tcp_recvspace 262144 tcp_nodelay 1 rfc1323 1
en1: flags=1e080862,480
        inet 198.51.100.9 netmask 0xffff0000
sit0: flags=8100041<UP,RUNNING,LINK0>
	inet6 ::192.0.2.17/96
lo0: flags=e08084b,c0<UP,BROADCAST,LOOPBACK,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT,LARGESEND,CHAIN> metric 1
	inet 127.0.0.1 netmask 0xff000000 broadcast 127.255.255.255
	inet6 ::1%1/0
	 tcp_sendspace 131072 tcp_recvspace 131072 rfc1323 1
`

func find(c *ifconfig.Config, name string) *ifconfig.Interface {
	for _, i := range c.Interfaces {
		if i.Name == name {
			return i
		}
	}
	return nil
}

func TestParse(t *testing.T) {
	c := codec.Read(t, sample)
	if len(c.Unknown) > 0 || len(c.Warnings) > 0 {
		t.Errorf("report: got %+v, want nothing unknown", c.Report)
	}
	en0 := find(c, "en0")
	if diff := cmp.Diff([]uint64{0x1e084863, 0x4c0}, en0.Words); diff != "" {
		t.Errorf("en0 flag words (-want +got):\n%s", diff)
	}
	if v, ok := en0.Option("tcp_nodelay"); v != 1 || !ok {
		t.Errorf("en0 tcp_nodelay: got %d %v, want 1 true", v, ok)
	}
	if v, ok := find(c, "en1").Option("tcp_sendspace"); ok {
		t.Errorf("en1 tcp_sendspace: got %d, want none: the line belongs to en0", v)
	}
	for _, w := range []struct {
		name, flag string
		set, known bool
	}{
		{"en0", "LARGESEND", true, true}, {"en0", "MONITOR", false, true},
		{"en1", "LARGESEND", false, true}, {"en1", "UP", false, true},
		{"en1", "CHECKSUM_OFFLOAD(ACTIVE)", false, false}, {"sit0", "LARGESEND", false, true},
	} {
		if set, known := find(c, w.name).Has(w.flag); set != w.set || known != w.known {
			t.Errorf("%s %s: got %v %v, want %v %v", w.name, w.flag, set, known, w.set, w.known)
		}
	}
	for k, want := range []string{"192.0.2.17/24", "192.0.2.18/32", "fe80::a:b/64"} {
		if p, ok := en0.Addresses[k].Prefix(); !ok || p.String() != want {
			t.Errorf("en0 address %d: got %v %v, want %s", k, p, ok, want)
		}
	}
	if p, ok := find(c, "lo0").Addresses[1].Prefix(); !ok || p.String() != "::1/0" {
		t.Errorf("lo0 ::1%%1/0: got %v %v", p, ok)
	}
}

// What breaks off in the middle of a word is not understood; a last line that only
// lacks its end is.
func TestCutOff(t *testing.T) {
	const head = "en0: flags=1e080863,480<UP,BROADCAST>\n"
	for text, unknown := range map[string]int{
		head + "\tinet 192.0.2.11 netmask 0xffffff00 broadcast 192.0.2.255": 0,
		head + "\tinet 192.0.2.11 netmask 0xffff":                           1,
		head + "\tinet 192.0.2.11 netmask":                                  1,
		head + "\tinet 192.0.2.":                                            1,
		head + "\tinet 192.0.2.11 netmask 0xffffff00 broadcast 192.0.":      1,
		head + "\tinet 192.0.2.11\n\t tcp_sendspace 262144 tcp_re":          1,
		"en0: flags=1e080863,480<UP,BROADC":                                 1,
		"en0: flags=1e080863,480<UP,BROADC\n":                               1,
	} {
		if v := codec.Read(t, text); len(v.Unknown) != unknown {
			t.Errorf("%q: got %v, want %d lines not understood", text, v.Unknown, unknown)
		}
	}
}

// Copies of pages and chats: broken lists of names, lost indentation.
func TestOddForms(t *testing.T) {
	for _, c := range []struct {
		name, text string
		largesend  [2]bool
	}{
		{"wrapped", "en0: flags=1e080863,4c0<UP,BROADCAST,\nCHECKSUM_OFFLOAD(ACTIVE),LARGESEND,CHAIN>\n inet 192.0.2.1\n", [2]bool{true, true}},
		{"blanks", "en0: flags=1e080863,18c0< UP,BROADCAST, LARGE SEND,CHAIN >\n", [2]bool{true, true}},
		{"cut before LARGESEND", "en0: flags=1e080863<UP,BROADCAST,LARGESE", [2]bool{false, false}},
		{"long second word", "en0: flags=1e084863,814c0\ninet 192.0.2.1 netmask 0xffffff00\n", [2]bool{true, true}},
		{"one word, no names", "en0: flags=1e080863\n", [2]bool{false, false}},
		{"no names, no largesend", "en0:  flags=1E080863,480  \n", [2]bool{false, true}},
		{"empty names", "en0: flags=0<>\n", [2]bool{false, true}},
		{"address behind options", "en0: flags=1e080863,4c0\n\t tcp_sendspace 1\n\tinet 192.0.2.1\n", [2]bool{true, true}},
		{"peer", "gre0: flags=11,0\n\tinet 192.0.2.1 --> 192.0.2.2 netmask 0xffffff00\n", [2]bool{false, true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := codec.Read(t, c.text)
			if cut := strings.HasPrefix(c.name, "cut"); (len(v.Unknown) > 0) != cut {
				t.Errorf("unknown lines: %v, cut %v", v.Unknown, cut)
			}
			set, known := v.Interfaces[0].Has("LARGESEND")
			if got := [2]bool{set, known}; got != c.largesend {
				t.Errorf("LARGESEND set, known: got %v, want %v", got, c.largesend)
			}
		})
	}
}

func TestUnknownLinesStay(t *testing.T) {
	v := codec.Read(t, strings.Replace(sample, "\tinet6 fe80", "\tinet9 what?\n\tinet6 fe80", 1))
	if len(v.Unknown) != 1 || v.Unknown[0].Number != 4 {
		t.Errorf("unknown: got %v, want line 4 only", v.Unknown)
	}
	for _, text := range []string{"", "ksh: ifconfig: not found.\n", "0821-514 ioctl (SIOCGIFFLAGS): No such device\n", "NAME CUR DEF\n"} {
		if v, err := ifconfig.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %+v, %v, want ErrNotRecognised", text, v, err)
		}
	}
}

func TestCorpus(t *testing.T)  { codec.Corpus(t, *update, "ifconfig_a/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, sample) }
func TestFast(t *testing.T)    { codec.Fast(t, sample) }

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, sample, "en0 en1 lo0\n", "en0: flags=1e080863,4c0<UP,\n CHAIN> metric 1\n tcp_sendspace 1\n")
}

// What cannot be read of an interface is nobody else's, and not off.
func TestParseDamagedHead(t *testing.T) {
	const first = "en0: flags=1e084863,4c0<UP,BROADCAST,LARGESEND,CHAIN>\n\tinet 192.0.2.1 netmask 0xffffff00\n"
	tests := []struct {
		name, text string
		addresses  int  // of en0
		known, set bool // of LARGESEND of en0
	}{
		{"a head that is none behind it", first + "en1; flags=1e084863,480<UP>\n\tinet 192.0.2.2 netmask 0xffffff00\n\t tcp_sendspace 1 \n", 1, true, true},
		{"a message behind it", first + "0821-514 ioctl (SIOCGIFFLAGS) failed.\n\tinet 192.0.2.3 netmask 0xffffff00\n", 2, true, true},
		{"a name of another encoding, the bit there", strings.Replace(first, "LARGESEND", "LARG\xe9SEND", 1), 1, true, true},
		{"... and not there", strings.NewReplacer("LARGESEND", "LARG\xe9SEND", "4c0", "480").Replace(first), 1, true, false},
		{"... and not printed", strings.NewReplacer("LARGESEND", "LARG\xe9SEND", ",4c0", "").Replace(first), 1, false, false},
	}
	for _, tt := range tests {
		c := codec.Read(t, tt.text)
		i := find(c, "en0")
		if i == nil {
			t.Errorf("%s: no en0", tt.name)
			continue
		}
		set, known := i.Has("LARGESEND")
		if len(i.Addresses) != tt.addresses || known != tt.known || set != tt.set {
			t.Errorf("%s: got %d addresses, LARGESEND %v known %v, want %d, %v, %v", tt.name, len(i.Addresses), set, known, tt.addresses, tt.set, tt.known)
		}
		if len(c.Unknown)+len(c.Warnings) == 0 {
			t.Errorf("%s: nothing was reported", tt.name)
		}
	}
}
