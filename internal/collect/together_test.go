package collect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/become"
	"seaworthy/internal/remote/local"
)

// padminOf is a VIOS of this machine's shell: oem_setup_env ends as it is told to.
func padminOf(t *testing.T, noise, oem string) remote.Host {
	t.Helper()
	dir := t.TempDir()
	program := "#!/bin/sh\n" + noise + "\n" + oem + "\n"
	if err := os.WriteFile(filepath.Join(dir, "oem_setup_env"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	return become.New(local.New("vios1", "PATH="+dir+":/usr/bin:/bin"), become.Auto)
}

// collected runs lines on a host as a login, and gives what each record has.
func collected(t *testing.T, h remote.Host, l login, items []Item) (*runner, []string) {
	t.Helper()
	r := newRunner(h, l, newMemory("vios1"), Options{Sessions: 1}, nil)
	var got []string
	for i, o := range r.run(t.Context(), items) {
		rec := r.m.Commands[i]
		if rec.Line != items[i].Line {
			t.Errorf("record %d is of %q, want %q", i, rec.Line, items[i].Line)
		}
		said := strings.TrimSpace(string(r.store.memory[rec.Stderr]))
		got = append(got, fmt.Sprintf("%q %q %d %s", o.text, said, rec.Exit, rec.Error))
	}
	return r, got
}

// A command that hangs, one that ends the shell and one that prints without end cost
// themselves alone, whether root's shell is behind oem_setup_env or not.
func TestOneCostsNoOther(t *testing.T) {
	hang := 300 * time.Millisecond
	items := []Item{
		{ID: "a", Line: "echo first", Limit: time.Minute}, {ID: "b", Line: "echo begun; sleep 100", Limit: hang},
		{ID: "c", Line: "echo third; echo oh >&2; false", Limit: time.Minute}, {ID: "d", Line: "exit 9", Limit: time.Minute},
		{ID: "e", Line: "echo fifth", Limit: time.Minute}, {ID: "f", Line: "cat; echo sixth", Limit: time.Minute},
	}
	want := []string{
		`"first\n" "" 0 `, `"" "" -1 time limit reached: no end after 300ms`, `"third\n" "oh" 1 `,
		`"" "" 9 `, `"fifth\n" "" 0 `, `"sixth\n" "" 0 `,
	}
	for i := range items {
		items[i].Root = true
	}
	for name, l := range map[string]login{
		"a login": {platform: model.AIX, root: true}, "oem_setup_env": {platform: model.VIOS, elevate: true},
		"sh -c": {platform: model.AIX, wrap: true},
	} {
		elevated := map[string]string{"exec sh": `"" "" 9 `, "sh; exit 0": `"" "" 1 `, "sh; exit 4": `"" "" 4 `}
		for _, oem := range []string{"exec sh", "sh; exit 0", "sh; exit 4"} {
			want := want
			if l.elevate { // a shell of root that does not come to its end has no status
				want = append([]string(nil), want...)
				want[3] = elevated[oem]
			} else if oem != "exec sh" {
				continue
			}
			t.Run(name+", "+oem, func(t *testing.T) {
				begun := time.Now()
				r, got := collected(t, padminOf(t, "echo 'authorised use only'", oem), l, items)
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("-want +got\n%s", d)
				}
				if r.stop != nil || r.alone.Load() {
					t.Errorf("got stop %v, one by one %v", r.stop, r.alone.Load())
				}
				if took := time.Since(begun); took > 30*time.Second {
					t.Errorf("took %v", took)
				}
			})
		}
	}
}

// A restricted shell has no marks on standard error: what was said there finds its
// command, and commands run once where nothing was.
func TestRestrictedTogether(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs")
	line := func(n int, rest string) Item {
		return Item{ID: fmt.Sprint(n), Line: fmt.Sprintf("echo %d >>%s; %s", n, runs, rest), Limit: time.Minute}
	}
	for _, tc := range []struct {
		name  string
		items []Item
		want  []string
		runs  int
	}{
		{"nothing said", []Item{line(0, "echo a"), line(1, "false"), line(2, "printf b")}, []string{`"a\n" "" 0 `, `"" "" 1 `, `"b" "" 0 `}, 3},
		{"one fails", []Item{line(0, "echo a"), line(1, "echo no >&2; false"), line(2, "echo b")}, []string{`"a\n" "" 0 `, `"" "no" 1 `, `"b\n" "" 0 `}, 4},
		{"one warns", []Item{line(0, "echo a"), line(1, "echo hm >&2")}, []string{`"a\n" "" 0 `, `"" "hm" 0 `}, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_ = os.Remove(runs)
			_, got := collected(t, padminOf(t, "", "exit 1"), login{platform: model.VIOS}, tc.items)
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			text, err := os.ReadFile(runs)
			if n := strings.Count(string(text), "\n"); err != nil || n != tc.runs {
				t.Errorf("got %d runs, %v, want %d", n, err, tc.runs)
			}
		})
	}
}

// A shell that takes one command a line is asked one by one, and not tried again.
func TestOneALine(t *testing.T) {
	r := newRunner(simple{local.New("here")}, login{platform: model.AIX}, newMemory("here"), Options{}, nil)
	out := r.run(t.Context(), []Item{{ID: "a", Line: "echo one"}, {ID: "b", Line: "echo two"}})
	if string(out[0].text) != "one\n" || string(out[1].text) != "two\n" || !r.alone.Load() {
		t.Errorf("got %q, %q, one by one %v", out[0].text, out[1].text, r.alone.Load())
	}
}

type simple struct{ remote.Host }

func (s simple) Start(ctx context.Context, line string) (*remote.Session, error) {
	if strings.Contains(line, "() {") {
		line = "echo 'one command please' >&2; exit 2"
	}
	return s.Host.Start(ctx, line)
}

func (s simple) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	return remote.Run(ctx, s, c)
}

// What an output can hold of a mark does not end it, wherever the stream is cut.
func FuzzParted(f *testing.F) {
	f.Add("one\nseaworthyx e 0", "\n", 3)
	f.Add("seaworthy", "seaworthyx b 1\n", 1)
	f.Fuzz(func(t *testing.T, first, second string, step int) {
		b := newBatch(make([]Item, 2))
		stream := "noise\n" + b.mark + " b 0\n" + first + b.mark + " e 0 3\nnoise" + b.mark + " b 1\n" + second + b.mark + " e 1 0\n"
		var got []string
		p := &parted{mark: b.mark, ended: func(p part) { got = append(got, fmt.Sprintf("%d %q %d", p.item, p.text.Bytes(), p.exit)) }}
		step = max(1, min(step, len(stream)))
		for len(stream) > 0 {
			n := min(step, len(stream))
			if _, err := p.Write([]byte(stream[:n])); err != nil {
				t.Fatal(err)
			}
			stream = stream[n:]
		}
		if d := cmp.Diff([]string{fmt.Sprintf("0 %q 3", first), fmt.Sprintf("1 %q 0", second)}, got); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

// Of a connection that breaks what was answered stays, and only the rest is asked again.
func TestLostInTheMiddle(t *testing.T) {
	h := &breaking{Host: local.New("here"), after: 2}
	r := newRunner(h, login{platform: model.AIX}, newMemory("here"), Options{Sessions: 1}, nil)
	var items []Item
	for i := range 5 {
		items = append(items, Item{ID: fmt.Sprint(i), Line: fmt.Sprint("echo ", i)})
	}
	for i, o := range r.run(t.Context(), items) {
		if string(o.text) != fmt.Sprintln(i) || !o.ok {
			t.Errorf("item %d: got %q, %v", i, o.text, o.ok)
		}
	}
	if h.lines != 3 { // the first line, the item that broke it, those after it
		t.Errorf("got %d sessions, want 3", h.lines)
	}
}

// breaking loses its first session after some items.
type breaking struct {
	remote.Host
	after, lines int
}

func (b *breaking) Start(ctx context.Context, line string) (*remote.Session, error) {
	b.lines++
	if b.lines > 1 {
		return b.Host.Start(ctx, line)
	}
	at := strings.Index(line, fmt.Sprintf(" b %d;", b.after))
	s, err := b.Host.Start(ctx, line[:strings.LastIndex(line[:at], ";")])
	if err == nil {
		wait := s.Wait
		s.Wait = func() (int, error) {
			_, err := wait()
			return -1, errors.Join(remote.ErrLost, err)
		}
	}
	return s, err
}

func (b *breaking) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	return remote.Run(ctx, b, c)
}
