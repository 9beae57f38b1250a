package progress

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
)

// Task is something that takes its time. A nil Task shows nothing. Its methods may
// be called by several goroutines at once.
type Task struct {
	m *Meter
	state
}

// Begin shows a task until its End. Unit is what is counted, "host"; total 0 is
// unknown. A task may begin within another.
func Begin(ctx context.Context, doing, unit string, total int) *Task {
	t := &Task{Of(ctx), state{doing: doing, unit: unit, total: total, began: time.Now()}}
	if t.m == nil {
		return nil
	}
	if !t.m.begin(&t.state) {
		return nil
	}
	return t
}

func (t *Task) set(change func()) {
	if t == nil {
		return
	}
	t.m.mu.Lock()
	defer t.m.mu.Unlock()
	change()
}

// Step says that one more is done, and which.
func (t *Task) Step(now string) { t.set(func() { t.done, t.now = t.done+1, now }) }

// At says how many are done, of how many as far as is known now.
func (t *Task) At(done, total int) { t.set(func() { t.done, t.total = done, total }) }

// AtMost is At where the total is the most that it may take.
func (t *Task) AtMost(done, total int) { t.set(func() { t.done, t.total, t.most = done, total, true }) }

// LinePerUnit has a line without a terminal when one more is done, and none in between.
func (t *Task) LinePerUnit() { t.set(func() { t.news = true }) }

// Now says what is being done.
func (t *Task) Now(text string) { t.set(func() { t.now = text }) }

// Share says which part of the work is done, 0 to 1, if what is counted does not.
func (t *Task) Share(part float64) { t.set(func() { t.share = part }) }

// Until says when the task ends, if that is known.
func (t *Task) Until(at time.Time) { t.set(func() { t.until = at }) }

// Failed names one that failed.
func (t *Task) Failed(name string) { t.set(func() { t.failed = append(t.failed, name) }) }

// End takes the task away. A second End does nothing.
func (t *Task) End() {
	if t != nil {
		t.m.end(&t.state)
	}
}

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
		out += ", "
		if t.most {
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
