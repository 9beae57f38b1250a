package uname

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
)

var codec = codectest.Codec[Names]{
	Parse: Parse, Format: Format,
	Report: func(n *Names) *dialect.Report { return &n.Report },
}

func TestParse(t *testing.T) {
	n := codec.RoundTrip(t, []byte("AIX lpar1 2 7 00C8D2E44C00\n"))
	want := []string{"AIX", "lpar1", "2", "7", "00C8D2E44C00"}
	if d := cmp.Diff(want, []string{n.System, n.Node, n.Release, n.Version, n.Machine}); d != "" {
		t.Errorf("-a differs (-want +got):\n%s", d)
	}
	if n := codec.RoundTrip(t, []byte("IBM,02106BDCA\n")); n.Serial() != "106BDCA" {
		t.Errorf("-u: got serial %q, want 106BDCA", n.Serial())
	}
	if n := codec.RoundTrip(t, []byte("7 lpar1\n")); n.LPARNumber == nil || *n.LPARNumber != 7 || n.LPARName != "lpar1" {
		t.Errorf("-L: got %+v", n)
	}
	for flag, text := range map[rune]string{Node: "lpar1.example\n", Release: "2\n", Version: "7\n", System: "AIX\n", Model: "IBM,9009-22A\n"} {
		n, err := ParseFlag([]byte(text), flag)
		if err != nil {
			t.Errorf("-%c: %v", flag, err)
			continue
		}
		if got := string(Format(n)); got != text {
			t.Errorf("-%c: got %q, want %q", flag, got, text)
		}
		if *n.single(flag)+"\n" != text {
			t.Errorf("-%c: got value %q", flag, *n.single(flag))
		}
	}
}

func TestFormatFromScratch(t *testing.T) {
	n := &Names{Flag: "a", System: "AIX", Node: "vios1", Release: "2", Version: "7", Machine: "00C8D2E44C00"}
	if got, want := string(Format(n)), "AIX vios1 2 7 00C8D2E44C00\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	n.Flag = "n"
	if got, want := string(Format(n)), "vios1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestChangesArePrinted(t *testing.T) {
	n := codec.RoundTrip(t, []byte("AIX  lpar1 2 7 00C8D2E44C00 \n"))
	n.System, n.Node, n.Release, n.Version, n.Machine = "VIOS", "other", "3", "8", "00AAAAAAAA00"
	if got, want := string(Format(n)), "VIOS  other 3 8 00AAAAAAAA00 \n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, []byte("AIX lpar1 2 7 00C8D2E44C00\n")) }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "Linux host 6.1.0 #1 SMP x86_64 GNU/Linux\n", "lpar1\n", "7\n"} {
		if n, err := Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, n, err, dialect.ErrNotRecognised)
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
	f.Fuzz(func(t *testing.T, text []byte, flag rune) {
		n, err := ParseFlag(text, flag)
		if err != nil {
			return
		}
		if got := Format(n); string(got) != string(text) {
			t.Errorf("Format(ParseFlag(x, %q)): got %q, want %q", flag, got, text)
		}
	})
}
