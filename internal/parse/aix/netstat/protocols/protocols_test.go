package protocols_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/netstat/protocols"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[protocols.Statistics]{
	Parse:  protocols.Parse,
	Report: func(s *protocols.Statistics) *parse.Report { return &s.Report },
}

const sample = "icmp:\n" +
	"\t12 calls to icmp_error\n" +
	"\tOutput histogram:\n" +
	"\t\techo reply: 95\n" +
	"\tInput histogram:\n" +
	"\t\techo reply: 490\n" +
	"\t\t\tbad echo replies: 7\n" +
	"tcp:\n" +
	"\t1 packet sent\n" +
	"\t\t800 data packets (1 byte)\n" +
	"\t\t100 ack-only packets (42 delayed)\n" +
	"\t\t11 window update packets\n" +
	"\t\t6937177 large sends\n" +
	"\t\t33495951175 bytes sent using largesend\n" +
	"\t\t65160 bytes is the biggest largesend\n" +
	"\t-294967296 packets received\n" +
	"\t\t700 acks (for 123456 bytes)\n" +
	"\t\t22 window update packets\n" +
	"\t9 fast retransmits\n" +
	"\t\t3 when congestion window less than 4 segments\n" +
	"\n" +
	"udp:\n" +
	"\t6600 socket buffer overflows\n"

func TestParse(t *testing.T) {
	v := codec.Read(t, sample)
	if len(v.Unknown) > 0 || len(v.Warnings) != 1 || v.Warnings[0].Number != 16 {
		t.Errorf("report: got %+v, want only a warning about line 16", v.Report)
	}
	for _, c := range []struct {
		protocol, key string
		want          uint64
		ok            bool
	}{
		{"tcp", "packets_sent", 1, true},
		{"tcp", "packet_sent", 1, true},
		{"tcp", "data_packets.bytes", 1, true},
		{"tcp", "ack_only_packets.delayed", 42, true},
		{"tcp", "acks.bytes", 123456, true},
		{"tcp", "large_sends", 6937177, true},
		{"tcp", "bytes_sent_using_largesend", 33495951175, true},
		{"tcp", "bytes_is_the_biggest_largesend", 65160, true},
		{"tcp", "when_congestion_window_less_than_4_segments", 3, true},
		{"tcp", "packets_received", 0, false},      // below zero
		{"tcp", "window_update_packets", 0, false}, // sent or received?
		{"tcp", "packets_sent.window_update_packets", 11, true},
		{"tcp", "packets_received.window_update_packets", 22, true},
		{"icmp", "output_histogram.echo_reply", 95, true},
		{"icmp", "bad_echo_replies", 7, true},
		{"udp", "socket_buffer_overflows", 6600, true},
		{"udp", "large_sends", 0, false},
		{"ip", "total_packets_received", 0, false},
	} {
		if got, ok := v.Get(c.protocol, c.key); got != c.want || ok != c.ok {
			t.Errorf("%s %s: got %d %v, want %d %v", c.protocol, c.key, got, ok, c.want, c.ok)
		}
	}
	all := counters(v)
	if all["tcp.packet_sent"] != 1 || all["tcp.packet_sent.large_sends"] != 6937177 {
		t.Errorf("Each: got %v", all)
	}
	if n, ok := all["tcp.packets_received"]; ok {
		t.Errorf("Each: got %d for a counter printed below zero, want none", n)
	}
}

func counters(s *protocols.Statistics) map[string]uint64 {
	all := map[string]uint64{}
	for _, p := range s.Protocols {
		p.Each(func(key string, n uint64) { all[p.Name+"."+key] = n })
	}
	return all
}

// What grep leaves of netstat -p tcp, with and without its indentation.
func TestGrepped(t *testing.T) {
	for _, lead := range []string{"\t\t", ""} {
		v := codec.Read(t, lead+"0 bytes sent using largesend\n"+lead+"0 bytes is the biggest largesend\n")
		if n, ok := v.Get("tcp", "bytes_sent_using_largesend"); n != 0 || !ok || len(v.Unknown) > 0 {
			t.Errorf("lead %q: got %d %v, unknown %v", lead, n, ok, v.Unknown)
		}
	}
}

func TestCollapsed(t *testing.T) {
	v := codec.Read(t, "tcp:\n5 packets sent\n2 window update packets\n3 packets received\n4 window update packets\n")
	if n, ok := v.Get("tcp", "window_update_packets"); ok {
		t.Errorf("without indentation: got %d, want no answer", n)
	}
	if n, ok := v.Get("tcp", "packets_received"); n != 3 || !ok {
		t.Errorf("packets_received: got %d %v, want 3", n, ok)
	}
}

// A page shows the output indented as a whole, with blanks for TABs.
func TestIndented(t *testing.T) {
	text := "    " + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSuffix(sample, "\n"), "\t", "        "), "\n", "\n    ") + "\n"
	want, got := codec.Read(t, sample), codec.Read(t, text)
	if diff := cmp.Diff(counters(want), counters(got)); diff != "" || len(got.Protocols) != 3 {
		t.Errorf("counters (-plain +indented):\n%s", diff)
	}
}

func TestNotRecognised(t *testing.T) {
	for _, text := range []string{"", "tcp:\n", "12 monkeys\n", "netstat: illegal option -- p\n", "tcp:\n\tno numbers here\n", "tcp:\n\t99999999999999999999 packets sent\n"} {
		if v, err := protocols.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %+v, %v, want ErrNotRecognised", text, v, err)
		}
	}
}

func TestCorpus(t *testing.T) { codec.Corpus(t, *update, "netstat_s/*", "linux/netstat_s/*") }

func TestFast(t *testing.T) { codec.Fast(t, sample) }

// In real outputs no counter of the standard wording may be doubtful.
func TestCorpusKeys(t *testing.T) {
	for _, file := range codectest.Files(t, "netstat_s/*") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := protocols.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"packets_sent", "data_packets.bytes", "data_packets_retransmitted", "large_sends",
			"bytes_sent_using_largesend", "bytes_is_the_biggest_largesend", "retransmit_timeouts", "out_of_order_packets"} {
			if _, ok := v.Get("tcp", key); !ok {
				t.Errorf("%s: tcp %s: got no answer", filepath.Base(file), key)
			}
		}
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, sample) }

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, sample, "\t0 large sends\n", "00\f.agPds\n", "tcp:\n a: -0\n")
}
