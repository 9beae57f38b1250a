package codectest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Damaged checks a good text in the ways texts come damaged: cut off, with
// CRLF, coloured, with messages between the lines. A damaged text may lose
// values, but a value that is left must be one of the good text's, or the
// Report must warn.
func (c Codec[T]) Damaged(t *testing.T, text string) {
	t.Helper()
	good := Facts(c.Read(t, text))
	check := func(name, damaged string, mayWarn, mayLose bool) {
		if t.Failed() {
			return // the first failure says enough
		}
		v, err := c.Parse([]byte(damaged))
		if err != nil {
			if !mayLose {
				t.Errorf("%s: %v", name, err)
			}
			return
		}
		if mayWarn && len(c.Report(v).Warnings) > 0 {
			return
		}
		got := Facts(v)
		for path, value := range got {
			if want, ok := good[path]; value != "" && (!ok || want != value) {
				t.Errorf("%s: %s: got %q, want %q or nothing", name, path, value, want)
			}
		}
		if !mayLose && len(got) < len(good) {
			t.Errorf("%s: got %d values, want %d", name, len(got), len(good))
		}
	}
	step := max(1, len(text)/400)
	for i := 1; i < len(text); i += step {
		check(fmt.Sprintf("cut at byte %d", i), text[:i], true, true)
	}
	check("CRLF", strings.ReplaceAll(text, "\n", "\r\n"), false, false)
	check("no line end", strings.TrimSuffix(text, "\n"), false, true)
	var coloured, noisy strings.Builder
	for l := range strings.Lines(text) {
		coloured.WriteString("\x1b[32m" + strings.TrimSuffix(l, "\n") + "\x1b[0m\n")
		noisy.WriteString(l + "ksh: 0403-057 Syntax error at line 1\n")
	}
	check("coloured", coloured.String(), false, false)
	check("message between lines", noisy.String(), false, true)
	for _, junk := range [][]byte{nil, []byte("\n"), []byte("\x00\xff\n"), bytes.ReplaceAll([]byte(text), []byte(" "), []byte("\t")),
		bytes.ReplaceAll([]byte(text), []byte("."), []byte(","))} {
		if v, err := c.Parse(junk); err == nil && c.Format != nil {
			c.Format(v)
		}
	}
}
