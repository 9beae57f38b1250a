package assemble

import "testing"

func TestLines(t *testing.T) {
	l := linesOf(Output{Text: []byte("one\n  two \n\nfour")})
	for _, c := range []struct {
		number int
		want   string
	}{{1, "one"}, {2, "two"}, {4, "four"}, {4, "four"}, {5, ""}, {9, ""}, {3, ""}, {2, "two"}, {1, "one"}, {4, "four"}} {
		if got := l.line(c.number); got != c.want {
			t.Errorf("line %d: got %q, want %q", c.number, got, c.want)
		}
	}
	none := linesOf(Output{})
	if got := none.line(1); got != "" {
		t.Errorf("line 1 of nothing: got %q, want none", got)
	}
}

// A tunable's evidence is its own line, not that of a longer name with the same
// end.
func TestTunableEvidence(t *testing.T) {
	h := Host(About{Name: "lpar1", Platform: "aix"}, []Output{{ID: "no-a", Command: "no -a", Text: []byte("   tcp_sack = 1\n       sack = 0\n")}})
	a := h.Tunables["sack"]
	if a == nil || len(a.From) != 1 || a.From[0].Line != 2 || a.From[0].Text != "sack = 0" {
		t.Errorf("evidence of sack: got %+v, want line 2, \"sack = 0\"", a)
	}
}
