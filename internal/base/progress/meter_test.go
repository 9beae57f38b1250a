package progress_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"seaworthy/internal/base/progress"
)

// screen keeps what a terminal's last line shows, and all that was written.
type screen struct {
	mu  sync.Mutex
	all strings.Builder
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Write(b)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

// line returns what stands in the last line: a wipe clears it.
func (s *screen) line() string {
	text := s.String()
	return text[max(strings.LastIndex(text, "\x1b[K")+len("\x1b[K"), strings.LastIndex(text, "\n")+1, 0):]
}

func width(n int) func() int { return func() int { return n } }

func TestTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		m := progress.New(s, width(80))
		task := progress.Begin(progress.With(t.Context(), m), "reading", "host", 4)
		time.Sleep(400 * time.Millisecond)
		if len(s.String()) > 0 {
			t.Errorf("shown at once: %q", s.String())
		}
		time.Sleep(1600*time.Millisecond + time.Microsecond)
		task.Step("lpar1")
		task.Failed("lpar7")
		time.Sleep(200 * time.Millisecond)
		if got, want := s.line(), "reading 1 of 4 hosts, 1 failed (lpar7), 7 s left: lpar1"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		fmt.Fprintln(m, "lpar7: no route to host")
		if !strings.Contains(s.String(), "\r\x1b[Klpar7: no route to host\n") {
			t.Errorf("another line does not get a line of its own: %q", s.String())
		}
		time.Sleep(200 * time.Millisecond)
		if !strings.HasPrefix(s.line(), "reading 1 of 4 hosts") {
			t.Errorf("not drawn again: %q", s.line())
		}
		task.End()
		if s.line() != "" {
			t.Errorf("left behind: %q", s.line())
		}
	})
}

// What is cut fits the terminal, and no name moves its cursor.
func TestNarrowAndHostile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		task := progress.Begin(progress.With(t.Context(), progress.New(s, width(24))), "reading", "file", 0)
		task.Step("\x1b[2Jevil")
		time.Sleep(time.Second)
		if got, want := s.line(), "reading 1 file: ?[2Jev…"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		task.End()
	})
}

func TestWithoutTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		ctx := progress.With(t.Context(), progress.New(s, nil))
		first := progress.Begin(ctx, "reading", "host", 2)
		time.Sleep(6 * time.Second)
		first.End()
		outer := progress.Begin(ctx, "measuring", "trial", 10)
		outer.At(3, 10)
		inner := progress.Begin(ctx, "applying", "step", 2)
		inner.Now("vios1 ent5")
		time.Sleep(15 * time.Second)
		inner.End()
		outer.End()
		time.Sleep(time.Minute)
		want := "measuring 3 of 10 trials, 10 s left › applying 0 of 2 steps: vios1 ent5\n" +
			"measuring 3 of 10 trials, 33 s left › applying 0 of 2 steps: vios1 ent5\n"
		if got := s.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}

func TestTimeLeft(t *testing.T) {
	for want, change := range map[string]func(*progress.Task){
		"working":                  func(*progress.Task) {},
		"working, 30 s left":       func(k *progress.Task) { k.Share(0.25) },
		"working, 1 min 30 s left": func(k *progress.Task) { k.Until(time.Now().Add(100 * time.Second)) },
		"working 1 of 1000 trials, 2 h 46 min left": func(k *progress.Task) { k.At(1, 1000) },
		"working 1 of 100 trials, 17 min left":      func(k *progress.Task) { k.At(1, 100) },
		"working 5 of 5 trials":                     func(k *progress.Task) { k.At(5, 5) },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &screen{}
			task := progress.Begin(progress.With(t.Context(), progress.New(s, nil)), "working", "trial", 0)
			change(task)
			time.Sleep(10*time.Second + time.Millisecond)
			task.End()
			if got := strings.TrimSpace(s.String()); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// Nothing is shown once the meter is closed, and none is needed.
func TestClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		m := progress.New(s, width(80))
		ctx := progress.With(t.Context(), m)
		task := progress.Begin(ctx, "reading", "host", 4)
		time.Sleep(time.Second)
		m.Close()
		if s.line() != "" {
			t.Errorf("left behind: %q", s.line())
		}
		before := len(s.String())
		task.Step("lpar1")
		progress.Begin(ctx, "again", "", 0).End()
		time.Sleep(time.Minute)
		task.End()
		if len(s.String()) != before {
			t.Errorf("drawn after the end: %q", s.String()[before:])
		}
		none := progress.Begin(context.Background(), "reading", "host", 4)
		none.Step("lpar1")
		none.End()
	})
}

// Without a terminal a line is bounded, too: what is under way may be a script.
func TestLongLineInALog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		m := progress.New(s, nil)
		task := progress.Begin(progress.With(t.Context(), m), "reading", "host", 4)
		task.Step("lpar1 $ instfix -ik " + strings.Repeat("IJ00001 ", 100))
		time.Sleep(11 * time.Second)
		task.End()
		line, _, _ := strings.Cut(s.String(), "\n")
		if n := len([]rune(line)); n == 0 || n > 160 {
			t.Errorf("got a line of %d characters, want one of 1 to 160: %.80s…", n, line)
		}
	})
}
