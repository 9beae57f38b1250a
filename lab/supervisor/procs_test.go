package supervisor

import (
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	for _, c := range []struct {
		line string
		want stat
		ok   bool
	}{
		{"42 (sh) S 1 42 40 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 1 0 100 1 1", stat{400 * time.Millisecond, 600 * time.Millisecond}, true},
		{"42 (a) b (c) R 1 42 41 0 -1 4194560 1 2 3 4 0 1 0 0 20 0 1 0 100 1 1", stat{0, 10 * time.Millisecond}, true},
		{"42 (sh) S 1 42", stat{}, false},
		{"", stat{}, false},
		{"42 (sh) S 1 42 40 0 -1 4194560 1 2 3 4 -1 20 30 40 20", stat{}, false},
	} {
		got, err := parseStat(c.line)
		if got != c.want || (err == nil) != c.ok {
			t.Errorf("%q: got %+v, %v; want %+v, ok %v", c.line, got, err, c.want, c.ok)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("42 (sh) S 1 42 40 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 1 0 100 1 1")
	f.Add(")")
	f.Fuzz(func(t *testing.T, line string) {
		if st, err := parseStat(line); err == nil && (st.user < 0 || st.system < 0) {
			t.Errorf("%q: negative CPU time %v, %v", line, st.user, st.system)
		}
	})
}

func TestSSHConfigQuotes(t *testing.T) {
	for in, want := range map[string]string{
		"/run/a/b": "/run/a/b", "/a b/c": "'/a b/c'", "/it's": `'/it'\''s'`, "/100%": "'/100%%'",
	} {
		if got := shellWord(in); got != want {
			t.Errorf("shellWord(%q): got %s, want %s", in, got, want)
		}
	}
}
