package past

import (
	"testing"
	"time"
)

func TestParseAge(t *testing.T) {
	for text, want := range map[string]time.Duration{"12h": 12 * time.Hour, "30d": 720 * time.Hour, "8w": 8 * 168 * time.Hour, "90m": 90 * time.Minute} {
		got, err := ParseAge(text)
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-3d", "d", "3x", "99999999999d", "-1h"} {
		got, err := ParseAge(text)
		if err == nil {
			t.Errorf("%q was taken for %s", text, got)
		}
	}
}

func FuzzParseTime(f *testing.F) {
	for _, text := range []string{"now", "2026-11-27", "2026-11-27 14:30", "2026-11-27T14:30:00+01:00", "3d", "2w", "90m", "-1d"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := ParseTime(text)
		if err == nil && at.Location() != time.UTC {
			t.Errorf("%q: got %s, want it in UTC", text, at)
		}
		age, err := ParseAge(text)
		if err == nil && age < 0 {
			t.Errorf("%q: got %s, an age below zero", text, age)
		}
	})
}
