package command_test

import (
	"testing"
	"time"

	"seaworthy/internal/cli/command"
)

// Every flag that takes a time takes it in one style, and says so where it does not understand one.
func TestTimes(t *testing.T) {
	const how = "expected a time, such as 30s, 5m or 1h30m"
	for _, c := range []struct {
		text    string
		number  string // why a flag that takes seconds refuses it; empty: it does not
		time    string
		seconds float64
	}{
		{"30s", "", "", 30},
		{"5m", "", "", 300},
		{"400ms", "", "", 0.4},
		{"10", "", how, 10},
		{"0.4", "", how, 0.4},
		{"soon", how, how, 0},
		{"NaN", how, how, 0},
		{"", how, how, 0},
	} {
		var s float64
		var d time.Duration
		if got := message(command.Seconds(&s).Set(c.text)); got != c.number || s != c.seconds {
			t.Errorf("seconds of %q: got %g, %q, want %g, %q", c.text, s, got, c.seconds, c.number)
		}
		got := message(command.Duration(&d).Set(c.text))
		if got != c.time || got == "" && d.Seconds() != c.seconds {
			t.Errorf("time of %q: got %s, %q, want %g s, %q", c.text, d, got, c.seconds, c.time)
		}
	}
}

// A default in help is written as people write it; none is shown where there is none.
func TestDefaultTimes(t *testing.T) {
	for _, c := range []struct {
		time time.Duration
		want string
	}{{0, "0"}, {2 * time.Minute, "2m"}, {time.Hour, "1h"}, {90 * time.Second, "1m30s"}, {90 * time.Minute, "1h30m"}, {10 * time.Second, "10s"}} {
		seconds := c.time.Seconds()
		for _, got := range []string{command.Duration(&c.time).String(), command.Seconds(&seconds).String()} {
			if got != c.want {
				t.Errorf("%s: got %q, want %q", c.time, got, c.want)
			}
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
