package linewise

import (
	"errors"
	"testing"
	"time"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var etimeCodec = codectest.Codec[ElapsedTime]{
	Parse:  ParseEtime,
	Report: func(e *ElapsedTime) *parse.Report { return &e.Report },
}

func TestParseEtime(t *testing.T) {
	for text, want := range map[string]string{
		"      00:01\n":       "1s",
		"   12:34\n":          "12m34s",
		"21:25:33\r\n":        "21h25m33s",
		" 204-21:25:33 \n":    "4917h25m33s",
		"10000-00:00:00":      "240000h0m0s",
		"ps: 0509-048 Flag\n": "",
	} {
		e := etimeCodec.Read(t, text)
		got := ""
		if e.Time != nil {
			got = e.Time.String()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if want == "" && len(e.Warnings) == 0 {
			t.Errorf("%q: no warning", text)
		}
	}
	if e := etimeCodec.Read(t, "00:10\n00:20\n"); *e.Time != 10*time.Second || len(e.Unknown) != 1 {
		t.Errorf("two lines: got %+v", e)
	}
}

func TestEtimeRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "12\n", "1-10:20\n", "00:1\n", "03:12PM up 5 days\n", "-\n"} {
		if e, err := ParseEtime([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, e, err, parse.ErrNotRecognised)
		}
	}
}
