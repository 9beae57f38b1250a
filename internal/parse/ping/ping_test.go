package ping

import (
	"errors"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[Replies]{
	Parse:  Parse,
	Report: func(r *Replies) *parse.Report { return &r.Report },
}

const linux = "PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.\n64 bytes from 192.0.2.1: icmp_seq=1 ttl=64 time=0.900 ms\n64 bytes from 192.0.2.1: icmp_seq=2 ttl=64 time=0.243 ms\n" +
	"64 bytes from 192.0.2.1: icmp_seq=3 ttl=64 time=0.251 ms\n\n--- 192.0.2.1 ping statistics ---\n3 packets transmitted, 3 received, 0% packet loss, time 402ms\n" +
	"rtt min/avg/max/mdev = 0.243/0.464/0.900/0.300 ms\n"

func aix(times ...string) string {
	s := "PING 192.0.2.1: (192.0.2.1): 56 data bytes\n"
	for _, t := range times {
		s += "64 bytes from 192.0.2.1: icmp_seq=0 ttl=255 time=" + t + " ms\n"
	}
	return s + "\n--- 192.0.2.1 ping statistics ---\n3 packets transmitted, " + string(rune('0'+len(times))) + " packets received, 0% packet loss\nround-trip min/avg/max = 0/1/3 ms\n"
}

func TestRoundTrip(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		ms   float64
		ok   bool
	}{
		"Linux":                {linux, 0.251, true},
		"AIX, far":             {aix("20", "21", "20"), 20, true},
		"AIX, near":            {aix("0", "1", "0"), 0, false},
		"AIX, too coarse":      {aix("2", "2", "2"), 2, false},
		"AIX, no answer":       {aix(), 0, false},
		"fine times, no frame": {"time=0.050 ms\ntime=0.070 ms\n", 0.060, true},
	} {
		ms, ok := codec.Read(t, c.text).RoundTrip()
		if ok != c.ok || ok && (ms < c.ms-1e-9 || ms > c.ms+1e-9) {
			t.Errorf("%s: got %g %v, want %g %v", name, ms, ok, c.ms, c.ok)
		}
	}
	if r := codec.Read(t, linux); r.Least == nil || *r.Least != 0.243 || *r.Sent != 3 || *r.Received != 3 {
		t.Errorf("summary: got %+v, want 3 of 3 and 0.243 ms at least", r)
	}
	if r := codec.Read(t, linux+"hello\n"); len(r.Unknown) != 1 {
		t.Errorf("unknown lines: got %v, want one", r.Unknown)
	}
	if _, err := Parse([]byte("en0: flags=1\n")); !errors.Is(err, parse.ErrNotRecognised) {
		t.Errorf("another output: got %v", err)
	}
}

func TestFast(t *testing.T) { codec.Fast(t, linux) }

func FuzzParse(f *testing.F) { codec.Fuzz(f, linux, aix("0")) }
