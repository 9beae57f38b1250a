package task

import (
	"strings"
	"testing"
)

func FuzzComment(f *testing.F) {
	f.Add("host\nreboot")
	f.Add("a\u2028b\x1b[0m\r")
	f.Fuzz(func(t *testing.T, s string) {
		if c := Comment(s); strings.ContainsAny(c, "\n\r\x00\x1b\u2028\u0085") {
			t.Errorf("%q: got %q, which ends a line", s, c)
		}
	})
}
