package linewise

import (
	"errors"
	"strings"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var pingCodec = codectest.Codec[PingReplies]{
	Parse:  ParsePing,
	Report: func(r *PingReplies) *parse.Report { return &r.Report },
}

const pingLinux = "PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.\n64 bytes from 192.0.2.1: icmp_seq=1 ttl=64 time=0.900 ms\n64 bytes from 192.0.2.1: icmp_seq=2 ttl=64 time=0.243 ms\n" +
	"64 bytes from 192.0.2.1: icmp_seq=3 ttl=64 time=0.251 ms\n\n--- 192.0.2.1 ping statistics ---\n3 packets transmitted, 3 received, 0% packet loss, time 402ms\n" +
	"rtt min/avg/max/mdev = 0.243/0.464/0.900/0.300 ms\n"

func pingAIX(times ...string) string {
	s := "PING 192.0.2.1: (192.0.2.1): 56 data bytes\n"
	for _, t := range times {
		s += "64 bytes from 192.0.2.1: icmp_seq=0 ttl=255 time=" + t + " ms\n"
	}
	return s + "\n--- 192.0.2.1 ping statistics ---\n3 packets transmitted, " + string(rune('0'+len(times))) + " packets received, 0% packet loss\nround-trip min/avg/max = 0/1/3 ms\n"
}

func TestPingRoundTrip(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		ms   float64
		ok   bool
	}{
		"Linux":                {pingLinux, 0.251, true},
		"Linux, ping -D":       {strings.ReplaceAll(pingLinux, "\n64 bytes", "\n[1764300000.123456] 64 bytes"), 0.251, true},
		"AIX, far":             {pingAIX("20", "21", "20"), 20, true},
		"AIX, near":            {pingAIX("0", "1", "0"), 0, false},
		"AIX, too coarse":      {pingAIX("2", "2", "2"), 2, false},
		"AIX, no answer":       {pingAIX(), 0, false},
		"fine times, no frame": {"time=0.050 ms\ntime=0.070 ms\n", 0.060, true},
	} {
		ms, ok := pingCodec.Read(t, c.text).RoundTrip()
		if ok != c.ok || ok && (ms < c.ms-1e-9 || ms > c.ms+1e-9) {
			t.Errorf("%s: got %g %v, want %g %v", name, ms, ok, c.ms, c.ok)
		}
	}
	if r := pingCodec.Read(t, pingLinux); r.Least == nil || *r.Least != 0.243 || *r.Sent != 3 || *r.Received != 3 {
		t.Errorf("summary: got %+v, want 3 of 3 and 0.243 ms at least", r)
	}
	if r := pingCodec.Read(t, pingLinux+"hello\n"); len(r.Unknown) != 1 {
		t.Errorf("unknown lines: got %v, want one", r.Unknown)
	}
	if _, err := ParsePing([]byte("en0: flags=1\n")); !errors.Is(err, parse.ErrNotRecognised) {
		t.Errorf("another output: got %v", err)
	}
}
