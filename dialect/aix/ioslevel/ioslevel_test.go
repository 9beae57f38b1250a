package ioslevel

import (
	"errors"
	"testing"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
)

var codec = codectest.Codec[Level]{
	Parse: Parse, Format: Format,
	Report: func(l *Level) *dialect.Report { return &l.Report },
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"3.1.4.10\n":                            "3.1.4.10",
		"4.1.1.00\n":                            "4.1.1.00",
		"2.2.0.0\r\n":                           "2.2.0.0",
		" 1.5.2.1-FP-11.1 \n":                   "1.5.2.1-FP-11.1",
		"rksh: ioslevel:  not found.\n":         "",
		"Access to run command is not valid.\n": "",
	} {
		l := codec.RoundTrip(t, []byte(text))
		if got := l.String(); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if want == "" && len(l.Warnings) == 0 {
			t.Errorf("%q: no warning", text)
		}
	}
}

func TestAtLeast(t *testing.T) {
	for _, c := range []struct {
		have *Level
		ask  []int
		want bool
	}{
		{New(3, 1, 4, 10), []int{3, 1}, true},
		{New(3, 1, 4, 10), []int{3, 1, 4, 20}, false},
		{New(4, 1, 0, 0), []int{3, 1, 4, 20}, true},
		{New(2, 2, 6, 65), []int{3}, false},
		{&Level{}, []int{0}, false},
	} {
		if got := c.have.AtLeast(c.ask...); got != c.want {
			t.Errorf("%s at least %v: got %v, want %v", c.have, c.ask, got, c.want)
		}
	}
}

func TestFormat(t *testing.T) {
	if got, want := string(Format(New(3, 1, 0, 0))), "3.1.0.00\n"; got != want {
		t.Errorf("from scratch: got %q, want %q", got, want)
	}
	codec.EveryValue(t, []byte("3.1.4.10\n"))
}

func TestDamaged(t *testing.T) { codec.Damaged(t, []byte("3.1.4.10\n")) }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "7200-05\n", "192.0.2.17\n", "3.1.4\n"} {
		if l, err := Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, l, err, dialect.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) { codec.Fuzz(f, "3.1.4.10\n", "1.5.2.1-FP-11.1", "03.1.4.1\n") }
