package progress

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
)

// state is how far a task is.
type state struct {
	doing string
	unit  string
	began time.Time

	done, total int
	most        bool    // total is the most that it may take
	news        bool    // without a terminal it has a line when one more is done, not every 10 s
	written     int     // done, in its last line
	share       float64 // 0 to 1, where done of total does not tell it
	until       time.Time
	now         string
	failed      []string
}

// mostNamed is how many failed ones have their names shown.
const mostNamed = 3

// text is a task in words; inner has what it is at and the time left.
func (t *state) text(now time.Time, inner bool) string {
	out := t.doing
	switch {
	case t.total > 0:
		of := "of"
		if t.most {
			of = "of at most"
		}
		out += fmt.Sprintf(" %d %s %s", t.done, of, plural(t.total, t.unit))
	case t.done > 0:
		out += " " + plural(t.done, t.unit)
	}
	if n := len(t.failed); n > 0 {
		names := strings.Join(t.failed[:min(n, mostNamed)], ", ")
		if n > mostNamed {
			names += ", …"
		}
		out += fmt.Sprintf(", %d failed (%s)", n, names)
	}
	if left := t.left(now); left > 0 {
		if out += ", "; t.most {
			out += "at most "
		}
		out += span(left) + " left"
	}
	if inner && t.now != "" {
		out += ": " + t.now
	}
	return strings.Map(func(r rune) rune { // what a host or a file is called is text, whatever it is
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, out)
}

func plural(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// left is the time to the end, going by what was done so far; 0: not known.
func (t *state) left(now time.Time) time.Duration {
	if !t.until.IsZero() {
		return max(0, t.until.Sub(now))
	}
	part := t.share
	if part == 0 && t.total > 1 {
		part = float64(t.done) / float64(t.total)
	}
	gone := now.Sub(t.began)
	if part <= 0 || part >= 1 || gone < time.Second {
		return 0
	}
	return time.Duration(float64(gone) * (1 - part) / part)
}

// span is a time in one or two units, as a person would say it.
func span(d time.Duration) string {
	switch s := int(math.Ceil(d.Seconds())); {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	case s < 2*3600:
		return fmt.Sprintf("%d min", (s+59)/60)
	default:
		return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
	}
}
