package progress

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	appear = 500 * time.Millisecond // what ends sooner shows nothing
	redraw = 200 * time.Millisecond
	plain  = 10 * time.Second // between lines without a terminal
)

// Meter draws the tasks that are under way. It is also the writer for everything
// else that goes to the same place: the line makes room for it.
type Meter struct {
	w     io.Writer
	width func() int

	mu     sync.Mutex
	tasks  []*state // outer ones first
	shown  string   // on the terminal now
	due    time.Time
	closed bool
	stop   chan struct{} // ends the loop that redraws
	ended  chan struct{}
}

// New draws on w. Width gives the columns of a terminal; nil: w is none.
func New(w io.Writer, width func() int) *Meter { return &Meter{w: w, width: width} }

type key struct{}

// With gives a context whose work is shown by m; by none if m is nil.
func With(ctx context.Context, m *Meter) context.Context { return context.WithValue(ctx, key{}, m) }

// Of is the context's meter, nil if it has none.
func Of(ctx context.Context) *Meter {
	m, _ := ctx.Value(key{}).(*Meter)
	return m
}

// begin shows one more task; false once the meter is closed.
func (m *Meter) begin(s *state) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false
	}
	m.tasks = append(m.tasks, s)
	if m.due.IsZero() {
		m.due = s.began.Add(m.pause(appear))
	}
	if m.stop == nil {
		m.stop, m.ended = make(chan struct{}), make(chan struct{})
		go m.loop(m.stop, m.ended)
	}
	return true
}

// pause is the time to the next line.
func (m *Meter) pause(terminal time.Duration) time.Duration {
	if m.width == nil {
		return plain
	}
	return terminal
}

func (m *Meter) loop(stop, ended chan struct{}) {
	defer close(ended)
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			m.draw()
		}
	}
}

// logWidth is how many columns a line has where there is no terminal: a command that is under way may be long.
const logWidth = 160

func (m *Meter) draw() {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if m.closed || len(m.tasks) == 0 || now.Before(m.due) {
		return
	}
	if m.width == nil && !m.news() {
		return
	}
	m.due = now.Add(m.pause(redraw))
	text := m.line(now)
	if m.width == nil {
		_, _ = io.WriteString(m.w, cut(text, logWidth)+"\n") // what cannot be shown is not a failure of the work
		return
	}
	text = cut(text, m.width()-1)
	if text != m.shown {
		_, _ = io.WriteString(m.w, "\r\x1b[K"+text)
		m.shown = text
	}
}

// news says whether a line without a terminal would say more than the last one.
func (m *Meter) news() bool {
	news := true
	for _, t := range m.tasks {
		if t.news {
			news = t.done > t.written
			t.written = t.done
			break // what is within is part of the unit
		}
	}
	return news
}

// line has the tasks from the outer to the inner one.
func (m *Meter) line(now time.Time) string {
	var parts []string
	for i, t := range m.tasks {
		parts = append(parts, t.text(now, i == len(m.tasks)-1))
	}
	return strings.Join(parts, " › ")
}

func cut(text string, width int) string {
	if r := []rune(text); len(r) > width {
		return string(r[:max(width-1, 0)]) + "…"
	}
	return text
}

// end takes a task away; the last one leaves an empty line.
func (m *Meter) end(s *state) {
	m.mu.Lock()
	m.tasks = slices.DeleteFunc(m.tasks, func(o *state) bool { return o == s })
	var stop, ended chan struct{}
	if len(m.tasks) == 0 {
		m.wipe()
		stop, ended = m.stop, m.ended
		m.stop, m.ended = nil, nil
	}
	m.mu.Unlock()
	if stop != nil {
		close(stop)
		<-ended
	}
}

func (m *Meter) wipe() {
	if m.shown != "" {
		_, _ = io.WriteString(m.w, "\r\x1b[K")
		m.shown = ""
	}
}

// Write writes something else to the same place.
func (m *Meter) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wipe()
	return m.w.Write(b)
}

// Close wipes the line for good: nothing is shown any more.
func (m *Meter) Close() {
	m.mu.Lock()
	m.closed = true
	tasks := slices.Clone(m.tasks)
	m.wipe()
	m.mu.Unlock()
	for _, s := range tasks {
		m.end(s)
	}
}
