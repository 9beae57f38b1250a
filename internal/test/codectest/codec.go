// Package codectest holds what every codec's tests check in the same way: the
// values read from real outputs, that what is printed is read back, that
// damaged outputs give no wrong values, and that any text is read fast.
package codectest

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"seaworthy/internal/parse"
)

// Codec is a codec under test. Format is nil where nothing prints.
type Codec[T any] struct {
	Parse  func([]byte) (*T, error)
	Format func(*T) []byte
	Report func(*T) *parse.Report
}

// Read parses a text that must be recognised.
func (c Codec[T]) Read(t *testing.T, text string) *T {
	t.Helper()
	v, err := c.Parse([]byte(text))
	if err != nil {
		t.Fatalf("Parse: %v\ntext: %q", err, text)
	}
	return v
}

// Try reads a case's text, which the codec should recognise or not. It is nil if there is
// nothing more to look at.
func (c Codec[T]) Try(t *testing.T, name, text string, recognised bool) *T {
	t.Helper()
	v, err := c.Parse([]byte(text))
	switch {
	case !recognised && !errors.Is(err, parse.ErrNotRecognised):
		t.Errorf("%s: got %+v, %v; want ErrNotRecognised", name, v, err)
	case recognised && err != nil:
		t.Errorf("%s: %v", name, err)
	case recognised:
		return v
	}
	return nil
}

// Printed prints a value, reads it back, and fails unless every line was
// understood and every value is the same. It returns the text.
func (c Codec[T]) Printed(t *testing.T, v *T) string {
	t.Helper()
	text := string(c.Format(v))
	again := c.Read(t, text)
	if u := c.Report(again).Unknown; len(u) > 0 {
		t.Errorf("own output not understood: %v", u)
	}
	if diff := cmp.Diff(Facts(v), Facts(again)); diff != "" {
		t.Errorf("read back (-printed +read):\n%s\ntext:\n%s", diff, text)
	}
	return text
}

// Fuzz checks that Parse never panics, and that what it read from a text
// survives being printed where the codec prints.
func (c Codec[T]) Fuzz(f *testing.F, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := c.Parse(text)
		if err != nil {
			return
		}
		if r := c.Report(v); len(r.Unknown) > r.Lines {
			t.Errorf("%d lines not understood of %d", len(r.Unknown), r.Lines)
		}
		if c.Format != nil {
			c.Format(v)
		}
	})
}

// slow holds what no text takes that is read in linear time; one that is read in
// quadratic time takes far longer. It is processor time, which a busy machine does not add to.
const slow = 20 * time.Second

// Fast reads 50,000 lines made of a sample, and long texts of other shapes.
func (c Codec[T]) Fast(t *testing.T, sample string) {
	t.Helper()
	long := bytes.Repeat([]byte(sample), 1+50_000/max(1, strings.Count(sample, "\n")))
	for name, text := range map[string][]byte{
		"many lines":   long,
		"one line":     bytes.ReplaceAll(long[:min(len(long), 1<<20)], []byte("\n"), []byte(" ")),
		"one word":     bytes.Repeat([]byte("A"), 1<<20),
		"many numbers": bytes.Repeat([]byte("9 "), 1<<19),
		"many dashes":  bytes.Repeat([]byte("---\n"), 1<<18),
	} {
		before := usedTime(t)
		_, _ = c.Parse(text) // whether it is recognised does not matter
		if took := usedTime(t) - before; took > slow {
			t.Errorf("%s: %d bytes took %v of processor time", name, len(text), took)
		}
	}
}

// usedTime is the processor time that this process has used.
func usedTime(t *testing.T) time.Duration {
	t.Helper()
	var usage unix.Rusage
	err := unix.Getrusage(unix.RUSAGE_SELF, &usage)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
