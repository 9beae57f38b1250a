package linewise

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var unameCodec = codectest.Codec[Uname]{Parse: ParseUname, Report: func(n *Uname) *parse.Report { return &n.Report }}

func TestParseUname(t *testing.T) {
	n := unameCodec.Read(t, "AIX lpar1 2 7 00C8D2E44C00\n")
	want := []string{"AIX", "lpar1", "2", "7", "00C8D2E44C00"}
	if d := cmp.Diff(want, []string{n.System, n.Node, n.Release, n.Version, n.Machine}); d != "" {
		t.Errorf("-a differs (-want +got):\n%s", d)
	}
	if n := unameCodec.Read(t, "IBM,02106BDCA\n"); n.SystemID != "IBM,02106BDCA" {
		t.Errorf("-u: got %+v", n)
	}
	if n := unameCodec.Read(t, "7 lpar1\n"); n.LPARNumber == nil || *n.LPARNumber != 7 || n.LPARName != "lpar1" {
		t.Errorf("-L: got %+v", n)
	}
	for flag, text := range map[rune]string{UnameNode: "lpar1.example", UnameRelease: "2", UnameVersion: "7", UnameSystem: "AIX", UnameModel: "IBM,9009-22A"} {
		n, err := ParseUnameFlag([]byte(text+"\n"), flag)
		if err != nil {
			t.Errorf("-%c: %v", flag, err)
			continue
		}
		if got := n.Node + n.Release + n.Version + n.System + n.Model; got != text || n.Flag != string(flag) {
			t.Errorf("-%c: got value %q", flag, got)
		}
	}
}

func TestUnameRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "Linux host 6.1.0 #1 SMP x86_64 GNU/Linux\n", "lpar1\n", "7\n"} {
		if n, err := ParseUname([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, n, err, parse.ErrNotRecognised)
		}
	}
	if n, err := ParseUnameFlag([]byte("bash: uname: command not found\n"), UnameNode); err != nil || n.Node != "" || len(n.Warnings) == 0 {
		t.Errorf("message: got %+v, %v; want no name and a warning", n, err)
	}
}

func FuzzUnameParseFlag(f *testing.F) {
	f.Add([]byte("IBM,02106BDCA\n"), 'M')
	f.Add([]byte("AIX\r\n"), 's')
	f.Fuzz(func(_ *testing.T, text []byte, flag rune) { _, _ = ParseUnameFlag(text, flag) })
}

// What ps, vmstat, mpstat and netstat -an print, by the functions that diagnose calls.
func FuzzLoads(f *testing.F) {
	f.Add([]byte("Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)\ntcp4       0      0  10.0.0.1.22  10.0.0.2.40000  ESTABLISHED\n"))
	f.Add([]byte("  PID TTY      TIME CMD\n    1 ?    00:00:01 init\n"))
	f.Add([]byte(" r  b   avm   fre  re  pi  po  fr   sr  cy  in   sy  cs us sy id wa\n 1  0 1 2 0 0 0 0 0 0 3 4 5 6 7 8 9\n"))
	f.Fuzz(func(_ *testing.T, text []byte) {
		_, _ = ParseTCPSockets(text)
		_, _ = ParseProcesses(text)
		_, _ = ParseProcessorLoads(text)
		_, _ = ParseActivity(text)
	})
}
