package uname

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[Names]{Parse: Parse, Report: func(n *Names) *parse.Report { return &n.Report }}

func TestParse(t *testing.T) {
	n := codec.Read(t, "AIX lpar1 2 7 00C8D2E44C00\n")
	want := []string{"AIX", "lpar1", "2", "7", "00C8D2E44C00"}
	if d := cmp.Diff(want, []string{n.System, n.Node, n.Release, n.Version, n.Machine}); d != "" {
		t.Errorf("-a differs (-want +got):\n%s", d)
	}
	if n := codec.Read(t, "IBM,02106BDCA\n"); n.SystemID != "IBM,02106BDCA" {
		t.Errorf("-u: got %+v", n)
	}
	if n := codec.Read(t, "7 lpar1\n"); n.LPARNumber == nil || *n.LPARNumber != 7 || n.LPARName != "lpar1" {
		t.Errorf("-L: got %+v", n)
	}
	for flag, text := range map[rune]string{Node: "lpar1.example", Release: "2", Version: "7", System: "AIX", Model: "IBM,9009-22A"} {
		n, err := ParseFlag([]byte(text+"\n"), flag)
		if err != nil {
			t.Errorf("-%c: %v", flag, err)
			continue
		}
		if got := n.Node + n.Release + n.Version + n.System + n.Model; got != text || n.Flag != string(flag) {
			t.Errorf("-%c: got value %q", flag, got)
		}
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, "AIX lpar1 2 7 00C8D2E44C00\n") }

func TestFast(t *testing.T) { codec.Fast(t, "AIX lpar1 2 7 00C8D2E44C00\n") }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "Linux host 6.1.0 #1 SMP x86_64 GNU/Linux\n", "lpar1\n", "7\n"} {
		if n, err := Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, n, err, parse.ErrNotRecognised)
		}
	}
	if n, err := ParseFlag([]byte("bash: uname: command not found\n"), Node); err != nil || n.Node != "" || len(n.Warnings) == 0 {
		t.Errorf("message: got %+v, %v; want no name and a warning", n, err)
	}
}

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, "AIX lpar1 2 7 00C8D2E44C00\n", "7 lpar1", "IBM,02106BDCA\r\n")
}

func FuzzParseFlag(f *testing.F) {
	f.Add([]byte("IBM,02106BDCA\n"), 'M')
	f.Add([]byte("AIX\r\n"), 's')
	f.Fuzz(func(_ *testing.T, text []byte, flag rune) { _, _ = ParseFlag(text, flag) })
}
