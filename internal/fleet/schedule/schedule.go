package schedule

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Schedule is when something is done.
type Schedule struct {
	times    cron.Schedule
	jitter   time.Duration
	blackout []window
}

// maxJitter bounds a jitter.
const maxJitter = 24 * time.Hour

// Parse reads a cron expression of five fields, or such as @daily and @every 6h, and windows
// such as "Mon-Fri 08:00-18:00", "22:00-02:00" or "2026-12-24..2027-01-02".
func Parse(expression string, jitter time.Duration, windows []string) (*Schedule, error) {
	if len(expression) > 100 {
		return nil, errors.New("cron expression: too long")
	}
	times, err := cron.ParseStandard(expression)
	if err != nil {
		return nil, fmt.Errorf("cron expression %q: %w: expected minute hour day month weekday, such as '30 2 * * *'", expression, err)
	}
	if jitter < 0 || jitter > maxJitter {
		return nil, fmt.Errorf("--jitter %s: expected up to 24h", jitter)
	}
	s := &Schedule{times: times, jitter: jitter}
	for _, text := range windows {
		w, err := parseWindow(text)
		if err != nil {
			return nil, err
		}
		s.blackout = append(s.blackout, w)
	}
	return s, nil
}

// mostTimes is how many times of the expression are looked at for one that is in no window.
const mostTimes = 10_000

// Next is the first time after another, which is in no window with its jitter; zero if
// there is none. random gives a number from 0 up to its argument.
func (s *Schedule) Next(after time.Time, random func(n int64) int64) time.Time {
	if random == nil {
		random = rand.Int64N
	}
	for range mostTimes {
		after = s.times.Next(after)
		if after.IsZero() {
			return after
		}
		at := after
		if s.jitter > 0 {
			at = at.Add(time.Duration(random(int64(s.jitter))))
		}
		if !s.Blackout(at) {
			return at
		}
	}
	return time.Time{}
}

// Blackout reports whether a time is in a window.
func (s *Schedule) Blackout(at time.Time) bool {
	for _, w := range s.blackout {
		if w.has(at) {
			return true
		}
	}
	return false
}

// window is a time in which nothing begins: days, or hours of days of the week.
type window struct {
	from, to   string // days, as 2006-01-02; empty: those of the week
	days       [7]bool
	begin, end int // minutes of the day; end before begin: over midnight
}

var (
	dates = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$`)
	hours = regexp.MustCompile(`^(?:([A-Za-z]{3})(?:-([A-Za-z]{3}))? )?(\d\d):(\d\d)-(\d\d):(\d\d)$`)
)

func parseWindow(text string) (w window, err error) {
	bad := fmt.Errorf("--not %.60q: expected such as 'Mon-Fri 08:00-18:00', 22:00-02:00 or 2026-12-24..2027-01-02", text)
	m := dates.FindStringSubmatch(text)
	if m != nil {
		for _, day := range m[1:] {
			_, err = time.Parse(time.DateOnly, day)
			if err != nil || m[2] < m[1] {
				return w, bad
			}
		}
		return window{from: m[1], to: m[2]}, nil
	}
	m = hours.FindStringSubmatch(text)
	if m == nil {
		return w, bad
	}
	first, last := 0, 6
	if m[1] != "" {
		first = dayOf(m[1])
		last = first
	}
	if m[2] != "" {
		last = dayOf(m[2])
	}
	w.begin, w.end = minutes(m[3], m[4]), minutes(m[5], m[6])
	if first < 0 || last < 0 || w.begin < 0 || w.end < 0 || w.begin == w.end {
		return w, bad
	}
	for day := first; ; day = (day + 1) % 7 {
		w.days[day] = true
		if day == last {
			return w, nil
		}
	}
}

// dayOf is a day of the week by its first three letters, Sunday 0; -1: none.
func dayOf(name string) int {
	for day := range 7 {
		if strings.EqualFold(time.Weekday(day).String()[:3], name) {
			return day
		}
	}
	return -1
}

// minutes is a time of the day; -1: none. 24:00 is one.
func minutes(hour, minute string) int {
	h, _ := strconv.Atoi(hour) // two digits
	m, _ := strconv.Atoi(minute)
	if h > 24 || m > 59 || h == 24 && m > 0 {
		return -1
	}
	return 60*h + m
}

// has reports whether a time is in the window. One over midnight belongs to the day on
// which it begins.
func (w *window) has(at time.Time) bool {
	if w.from != "" {
		day := at.Format(time.DateOnly)
		return w.from <= day && day <= w.to
	}
	now := 60*at.Hour() + at.Minute()
	today, yesterday := w.days[at.Weekday()], w.days[(at.Weekday()+6)%7]
	if w.begin < w.end {
		return today && w.begin <= now && now < w.end
	}
	return today && now >= w.begin || yesterday && now < w.end
}
