package codectest

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

var blanks = regexp.MustCompile(`[ \t]+`)

// Damaged checks a good text in the ways texts come damaged: cut off, with
// CRLF, coloured, with blanks collapsed, with messages between the lines. A
// damaged text may lose values, but a value that is left must be one of the
// good text's, or the Report must warn.
func (c Codec[T]) Damaged(t *testing.T, text []byte) {
	t.Helper()
	good := Facts(c.RoundTrip(t, text))
	check := func(name string, damaged []byte, mayWarn bool) {
		if t.Failed() {
			return // the first failure tells enough
		}
		v, err := c.Parse(damaged)
		if err != nil {
			return // refused as a whole: nothing wrong can be read from it
		}
		if got := c.Format(v); !bytes.Equal(got, damaged) {
			t.Errorf("%s: Format(Parse(x)) is not x:\n got %q\nwant %q", name, got, damaged)
		}
		if mayWarn && len(c.Report(v).Warnings) > 0 {
			return
		}
		for path, value := range Facts(v) {
			if want, ok := good[path]; value != "" && (!ok || want != value) {
				t.Errorf("%s: %s: got %q, want %q or nothing", name, path, value, want)
			}
		}
	}
	step := max(1, len(text)/400)
	for i := 1; i < len(text); i += step {
		check(fmt.Sprintf("cut at byte %d", i), text[:i], true)
	}
	check("CRLF", bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), false)
	check("no final newline", bytes.TrimSuffix(text, []byte("\n")), false)
	lines := strings.SplitAfter(string(text), "\n")
	var coloured, noisy, collapsed strings.Builder
	for _, l := range lines {
		if l == "" {
			continue
		}
		coloured.WriteString("\x1b[32m" + strings.TrimSuffix(l, "\n") + "\x1b[0m\n")
		noisy.WriteString(l + "ksh: 0403-057 Syntax error at line 1\n")
		collapsed.WriteString(strings.TrimSpace(blanks.ReplaceAllString(l, " ")) + "\n")
	}
	check("coloured", []byte(coloured.String()), false)
	check("message between lines", []byte(noisy.String()), false)
	c.Survives(t, []byte(collapsed.String()))
	c.Survives(t, bytes.ReplaceAll(text, []byte("."), []byte(",")))
	c.Survives(t, bytes.ReplaceAll(text, []byte(" "), []byte("\t")))
	c.Survives(t, bytes.Repeat(text, 50))
	for _, junk := range []string{"", "\n", "\x00\xff\n", "command not found\n", strings.Repeat("A", 1<<18), strings.Repeat("9 ", 1<<16)} {
		c.Survives(t, []byte(junk))
	}
}

// Survives checks that a text of any kind neither panics nor changes on its
// way through the codec.
func (c Codec[T]) Survives(t *testing.T, text []byte) {
	t.Helper()
	v, err := c.Parse(text)
	if err != nil {
		return
	}
	if got := c.Format(v); !bytes.Equal(got, text) {
		t.Errorf("Format(Parse(x)) is not x:\n got %.2000q\nwant %.2000q", got, text)
	}
}
