package collect

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/local"
)

// What each command says in a session of many is what it says in one of its
// own, to the byte.
func TestBatchIsAsOneByOne(t *testing.T) {
	lines := []string{
		"echo one", "printf 'no end'", "true", "echo bad >&2; false", "printf 'a\\n\\nb'; printf 'half' >&2; (exit 7)",
		"cat", "nothing-of-this-name", "echo 'it'\\''s'; echo \"$HOME\" | head -n 1", "printf '\\0\\377'", "echo last",
	}
	var items []Item
	for _, l := range lines {
		items = append(items, Item{Line: l, Limit: 20 * time.Second})
	}
	h := local.New("here")
	type answer struct {
		Stdout, Stderr string
		Exit           int
	}
	b := newBatch(items)
	res, err := h.Run(t.Context(), remote.Command{Line: b.line(), Limit: b.limit()})
	if err != nil {
		t.Fatal(err)
	}
	answers := b.answers(res)
	for i, l := range lines {
		alone, err := h.Run(t.Context(), remote.Command{Line: l})
		if err != nil {
			t.Fatal(err)
		}
		if answers[i] == nil {
			t.Errorf("%s: no answer among %d\n%s", l, len(answers), res.Stdout)
			continue
		}
		plain := func(r *remote.Result) answer {
			said, _, named := strings.Cut(string(r.Stderr), "not found") // the shell's own number of the line stands before it
			if named {
				said = "not found"
			}
			return answer{string(r.Stdout), said, r.Exit}
		}
		if d := cmp.Diff(plain(alone), plain(answers[i])); d != "" {
			t.Errorf("%s (-alone +in a batch):\n%s", l, d)
		}
	}
}

// A session that ends early, or in which an output is cut off, answers what
// came to its end and nothing else.
func FuzzBatchAnswers(f *testing.F) {
	f.Add("one\n", "two", 10)
	f.Add("seaworthy- e 0 0\n", "", 60)
	f.Fuzz(func(t *testing.T, first, second string, cut int) {
		b := newBatch(make([]Item, 2))
		stdout := b.mark + " b 0\n" + first + b.mark + " e 0 3\n" + b.mark + " b 1\n" + second + b.mark + " e 1 0\n"
		stderr := b.mark + " b 0\n" + b.mark + " e 0 0\n" + b.mark + " b 1\n" + b.mark + " e 1 0\n"
		cut = max(0, min(cut, len(stdout)))
		for i, r := range b.answers(&remote.Result{Stdout: []byte(stdout[:cut]), Stderr: []byte(stderr)}) {
			want, exit := first, 3
			if i == 1 {
				want, exit = second, 0
			}
			if string(r.Stdout) != want || r.Exit != exit {
				t.Errorf("answer %d: got %q, exit status %d, want %q, %d", i, r.Stdout, r.Exit, want, exit)
			}
		}
	})
}
