package linewise

import (
	"errors"
	"fmt"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var ioslevelCodec = codectest.Codec[VIOSLevel]{
	Parse:  ParseIoslevel,
	Report: func(l *VIOSLevel) *parse.Report { return &l.Report },
}

func TestParseIoslevel(t *testing.T) {
	for text, want := range map[string]string{
		"3.1.4.10\n":                            "[3 1 4 10]",
		"4.1.1.00\n":                            "[4 1 1 0]",
		"2.2.0.0\r\n":                           "[2 2 0 0]",
		" 1.5.2.1-FP-11.1 \n":                   "[1 5 2 1]FP-11.1",
		"rksh: ioslevel:  not found.\n":         "[]",
		"Access to run command is not valid.\n": "[]",
	} {
		l := ioslevelCodec.Read(t, text)
		if got := fmt.Sprint(l.Parts) + l.Fix; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if want == "[]" && len(l.Warnings) == 0 {
			t.Errorf("%q: no warning", text)
		}
	}
}

func TestIoslevelRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "7200-05\n", "192.0.2.17\n", "3.1.4\n"} {
		if l, err := ParseIoslevel([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, l, err, parse.ErrNotRecognised)
		}
	}
}
