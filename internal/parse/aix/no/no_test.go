package no_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/no"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[no.Tunables]{
	Parse:  no.Parse,
	Report: func(t *no.Tunables) *parse.Report { return &t.Report },
}

const all = `                 arpqsize = 1024
            delayackports = {}
ie5_old_multicast_mapping = 0
           net_buf_size   = {512:2048}
                   sb_max = 1048576
         tcp_bad_port_low =
`

const list = `TCP Network Tunable Parameters
--------------------------------------------------------------------------------
NAME                      CUR    DEF    BOOT   MIN    MAX    UNIT           TYPE
     DEPENDENCIES
--------------------------------------------------------------------------------
clean_partial_conns       1      0      1      0      1      boolean           D
--------------------------------------------------------------------------------
tcp_ephemeral_high        64K-1  64K-1  64K-1  32K+1  64K-1  numeric           D
     tcp_ephemeral_low
     sb_max
--------------------------------------------------------------------------------
a_name_too_long_for_its_column
                          128K   16K    16K    4K     8E-1   byte              C
--------------------------------------------------------------------------------
delayackports             {}     {}     {}     0      10     ports_list        D
--------------------------------------------------------------------------------
gone_here                 n/a                  0      1      boolean           D
--------------------------------------------------------------------------------
maxfree%                  1088   1088   1088   -1     8601K  4KB pages         D
     minfree%
--------------------------------------------------------------------------------
memory_frames             10752K        10752K                                 S
--------------------------------------------------------------------------------
##Restricted tunables
tcp_limit                 0      0      0      0      1      boolean           R
--------------------------------------------------------------------------------

Stream Header Tunable Parameters
--------------------------------------------------------------------------------
NAME                      CUR    DEF    BOOT   MIN    MAX    UNIT           TYPE
     DEPENDENCIES
--------------------------------------------------------------------------------
lowthresh                 90     90     90     0      100    %_of_thewall      D
--------------------------------------------------------------------------------

n/a means parameter not supported by the current platform or kernel

Parameter types:
    S = Static: cannot be changed

Value conventions:
    K = Kilo: 2^10       G = Giga: 2^30       P = Peta: 2^50
`

func TestAll(t *testing.T) {
	v := codec.Read(t, all)
	if len(v.Unknown) > 0 || v.Form == no.List {
		t.Errorf("unknown %v, form %v", v.Unknown, v.Form)
	}
	for name, want := range map[string]no.Value{"arpqsize": "1024", "delayackports": "{}", "net_buf_size": "{512:2048}", "tcp_bad_port_low": ""} {
		if x := v.Find(name); x == nil || x.Current == nil || *x.Current != want {
			t.Errorf("%s: got %+v, want %q", name, x, want)
		}
	}
}

func TestList(t *testing.T) {
	v := codec.Read(t, list)
	if len(v.Unknown) > 0 || len(v.Tunables) != 9 {
		t.Fatalf("got %d tunables, unknown %v", len(v.Tunables), v.Unknown)
	}
	x := v.Find("clean_partial_conns")
	if *x.Current != "1" || *x.Default != "0" || *x.Boot != "1" || x.Type != "D" || x.Unit != "boolean" || x.Restricted {
		t.Errorf("clean_partial_conns: got %+v", x)
	}
	x = v.Find("tcp_ephemeral_high")
	if *x.Current != "64K-1" || *x.Min != "32K+1" {
		t.Errorf("tcp_ephemeral_high: got %+v", x)
	}
	x = v.Find("a_name_too_long_for_its_column")
	if x == nil || *x.Current != "128K" || *x.Max != "8E-1" || x.Type != "C" {
		t.Errorf("wrapped name: got %+v", x)
	}
	x = v.Find("gone_here")
	if x == nil || *x.Current != "n/a" || x.Default != nil || x.Boot != nil || *x.Max != "1" {
		t.Errorf("blank cells: got %+v", x)
	}
	x = v.Find("maxfree%")
	if x.Unit != "4KB pages" || *x.Min != "-1" {
		t.Errorf("unit of two words: got %+v", x)
	}
	x = v.Find("memory_frames")
	if x.Default != nil || *x.Boot != "10752K" || x.Unit != "" || x.Type != "S" {
		t.Errorf("blank cells: got %+v", x)
	}
	x = v.Find("tcp_limit")
	if !x.Restricted {
		t.Errorf("tcp_limit: got %+v", x)
	}
	x = v.Find("lowthresh")
	if x.Restricted {
		t.Errorf("lowthresh: got %+v", x)
	}
}

func TestValue(t *testing.T) {
	for text, want := range map[string]uint64{"0": 0, "262144": 262144, "1M": 1 << 20, "16K": 16384, "64K-1": 65535,
		"32K+1": 32769, "8E-1": 1<<63 - 1, "21M": 21 << 20, "42080": 42080} {
		if got, ok := no.Value(text).Uint(); got != want || !ok {
			t.Errorf("%s: got %d %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []no.Value{"", "{}", "n/a", "16E", "1,5", "-1", "0-1", "1K-", "K", "1.5M", "99999999999999999999", "1KK"} {
		if n, ok := text.Uint(); ok {
			t.Errorf("%q: got %d, want no number", text, n)
		}
	}
	for n, want := range map[uint64]no.Value{0: "0", 1: "1", 300: "300", 1024: "1K", 262144: "256K", 65535: "64K-1", 32769: "32K+1",
		1<<63 - 1: "8E-1", 42080: "42080", 65534: "65534", 1<<64 - 1: "18446744073709551615"} {
		got := no.Short(n)
		if back, ok := got.Uint(); got != want || !ok || back != n {
			t.Errorf("Short(%d): got %s (%d), want %s", n, got, back, want)
		}
	}
}

func TestNotGuessed(t *testing.T) {
	for _, row := range []string{
		"tcp_sendspace 16K 16K 16K 4K 8E-1 byte",       // collapsed, one value missing: which?
		"tcp_sendspace 16K 16K 16K 4K byte byte C",     // the maximum is not a value
		"tcp_sendspace 16K 16K 16K 4K 8E-1 byte extra", // the type is not a type
		"tcp_sendspace 1,6K 16K 16K 4K 8E-1 byte C",
	} {
		v := codec.Read(t, strings.Replace(list, "clean_partial_conns       1", row+"\nclean_partial_conns       1", 1))
		if v.Find("tcp_sendspace") != nil || len(v.Unknown) != 1 {
			t.Errorf("%q: got %+v, unknown %v", row, v.Find("tcp_sendspace"), v.Unknown)
		}
	}
	for _, text := range []string{"", "no: 1485-106 Error reading tunable\n", "NAME CUR DEF BOOT MIN MAX UNIT TYPE\n"} {
		if _, err := no.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

func TestCorpus(t *testing.T)  { codec.Corpus(t, *update, "no_FL/*", "other_vmo_FL/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, all); codec.Damaged(t, list) }
func TestFast(t *testing.T)    { codec.Fast(t, all); codec.Fast(t, list) }

func FuzzParse(f *testing.F) { codec.Fuzz(f, all, list, "tcp_sendspace = 1\n") }
