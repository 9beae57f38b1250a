package schedule_test

import (
	"testing"
	"time"

	"seaworthy/internal/fleet/schedule"
)

func at(t testing.TB, text string) time.Time {
	t.Helper()
	x, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestNext(t *testing.T) {
	for _, c := range []struct {
		cron   string
		jitter time.Duration
		not    []string
		after  string
		want   string
	}{
		{"30 2 * * *", 0, nil, "2026-11-27 02:30", "2026-11-28 02:30"},
		{"30 2 * * *", 20 * time.Minute, nil, "2026-11-27 02:00", "2026-11-27 02:40"},
		{"0 * * * *", 0, []string{"Mon-Fri 08:00-18:00"}, "2026-11-27 07:30", "2026-11-27 18:00"}, // a Friday
		{"0 * * * *", 0, []string{"Mon-Fri 08:00-18:00"}, "2026-11-28 07:30", "2026-11-28 08:00"},
		{"0 * * * *", 0, []string{"Fri 22:00-02:00"}, "2026-11-27 21:30", "2026-11-28 02:00"},
		{"0 * * * *", 0, []string{"22:00-24:00", "00:00-06:00"}, "2026-11-27 21:30", "2026-11-28 06:00"},
		{"0 12 * * *", 0, []string{"2026-12-24..2027-01-02"}, "2026-12-23 12:30", "2027-01-03 12:00"},
		{"0 12 * * *", 0, []string{"Sat-Mon 00:00-24:00"}, "2026-11-27 12:30", "2026-12-01 12:00"},
		// The jitter would lead into a window: the next time is taken.
		{"0 * * * *", 40 * time.Minute, []string{"08:10-18:00"}, "2026-11-27 07:30", "2026-11-27 18:20"},
	} {
		s, err := schedule.Parse(c.cron, c.jitter, c.not)
		if err != nil {
			t.Errorf("%s: %v", c.cron, err)
			continue
		}
		got := s.Next(at(t, c.after), func(n int64) int64 { return n / 2 })
		if !got.Equal(at(t, c.want)) {
			t.Errorf("%s, not %v, after %s: got %s, want %s", c.cron, c.not, c.after, got.Format("2006-01-02 15:04"), c.want)
		}
	}
	s, err := schedule.Parse("0 12 * * *", 0, []string{"00:00-24:00"})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Next(at(t, "2026-11-27 12:30"), nil); !got.IsZero() {
		t.Errorf("always in a window: got %s", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, x := range [][2]string{{"30 2 * * *", "Mon-Fri 08:00-18:00"}, {"@every 6h", "22:00-02:00"}, {"@daily", "2026-12-24..2027-01-02"},
		{"60 * * * *", "Abc 08:00-18:00"}, {"", "25:00-26:00"}} {
		f.Add(x[0], x[1])
	}
	begin := at(f, "2026-11-27 12:30")
	f.Fuzz(func(t *testing.T, expression, window string) {
		s, err := schedule.Parse(expression, time.Minute, []string{window})
		if err != nil {
			return
		}
		next := s.Next(begin, nil)
		if !next.IsZero() && (!next.After(begin) || s.Blackout(next)) {
			t.Errorf("%q, not %q: next is %s", expression, window, next)
		}
	})
}
