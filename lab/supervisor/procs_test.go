package supervisor

import "testing"

func TestSSHConfigQuotes(t *testing.T) {
	for in, want := range map[string]string{
		"/run/a/b": "/run/a/b", "/a b/c": "'/a b/c'", "/it's": `'/it'\''s'`, "/100%": "'/100%%'",
	} {
		if got := shellWord(in); got != want {
			t.Errorf("shellWord(%q): got %s, want %s", in, got, want)
		}
	}
}
