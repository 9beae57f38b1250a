package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// present is what holds on hosts: findings by id, and those of which it is not known.
func present(items string, unknown ...string) Present {
	p := Present{Source: "audit", Version: "1", Time: time.Now(), Judged: func(x Item) bool { return !slices.Contains(unknown, x.ID) }}
	for _, id := range strings.Fields(items) {
		p.Items = append(p.Items, Item{ID: id, Host: "lpar1", Title: "$(reboot) `reboot`"})
	}
	return p
}

// told is what messages say, one a word: +new -gone.
func told(t *testing.T, text []byte) string {
	t.Helper()
	var out []string
	for line := range strings.Lines(string(text)) {
		var m Message
		err := json.Unmarshal([]byte(line), &m)
		if err != nil || m.Schema != Schema || m.ID == "" || m.New == nil || m.Gone == nil {
			t.Fatalf("%v: %q", err, line)
		}
		for _, x := range m.New {
			out = append(out, "+"+x.ID)
		}
		for _, x := range m.Gone {
			out = append(out, "-"+x.ID)
		}
	}
	return strings.Join(out, " ")
}

// One audit after another, told to a web server: what is new and gone, once.
func TestTell(t *testing.T) {
	var got []byte
	var refuse atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%v, %v", err, r.Header)
		}
		if refuse.Load() {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		got = append(got, body...)
	}))
	defer server.Close()
	dir := filepath.Join(t.TempDir(), "notified")
	r, err := Parse(t.Context(), server.URL+"/SECRET")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		now    Present
		refuse bool
		want   string
	}{
		{present("a b"), false, "+a +b"},
		{present("a b"), false, ""},
		{present("b c"), true, ""},
		{present("b c"), false, "+c -a"}, // what was refused comes again
		{present("", "b"), false, "-c"},  // b was not assessed
		{present(""), false, "-b"},
		{present(""), false, ""},
	} {
		got = nil
		refuse.Store(c.refuse)
		_, err := r.Tell(t.Context(), dir, c.now)
		if (err != nil) != c.refuse || err != nil && strings.Contains(err.Error(), "SECRET") {
			t.Errorf("got %v", err)
		}
		if told(t, got) != c.want {
			t.Errorf("%v: told %q, want %q", c.now.Items, told(t, got), c.want)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 2 {
		t.Errorf("got %v, %v", files, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil || strings.Contains(string(text)+f.Name(), "SECRET") {
			t.Errorf("%s has the URL, or %v", f.Name(), err)
		}
	}
}

// A command gets the message on its standard input; what hosts say is in no argument, and no shell reads it.
func TestCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "told")
	r, err := Parse(t.Context(), "tee -a "+file)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Tell(t.Context(), t.TempDir(), present("a"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || told(t, text) != "+a" || !strings.Contains(string(text), "$(reboot)") {
		t.Errorf("got %q, %v", text, err)
	}
}

// Many findings are told in several messages, of which each says how many follow.
func TestManyItems(t *testing.T) {
	var all []string
	for i := range 2*mostItems + 1 {
		all = append(all, fmt.Sprintf("x%06d", i))
	}
	steps := present(strings.Join(all, " ")).messages(map[string]Item{})
	known := map[string]Item{}
	for i, s := range steps {
		if s.message.More != len(steps)-1-i {
			t.Errorf("message %d: %d follow", i, s.message.More)
		}
		s.told(known)
	}
	if len(steps) != 3 || len(known) != len(all) {
		t.Errorf("got %d messages of %d items", len(steps), len(known))
	}
}

// A command that hangs is ended with all it started, in bounded time.
func TestHangingCommand(t *testing.T) {
	script := filepath.Join(t.TempDir(), "hangs")
	err := os.WriteFile(script, []byte("#!/bin/sh\nsleep 1000 & sleep 1000\n"), 0o700)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Parse(t.Context(), script)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	begun := time.Now()
	_, err = r.Tell(ctx, t.TempDir(), present("a"))
	if err == nil || time.Since(begun) > 20*time.Second {
		t.Errorf("got %v after %s", err, time.Since(begun))
	}
}

// A damaged file of what was told is neither taken for nothing nor overwritten.
func TestDamagedState(t *testing.T) {
	dir := t.TempDir()
	r, err := Parse(t.Context(), "true")
	if err == nil {
		_, err = r.Tell(t.Context(), dir, present("a"))
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got %v, %v", files, err)
	}
	for _, text := range []string{"", "{", `{"schema": "seaworthy.notified/9"}`} {
		err = os.WriteFile(files[0], []byte(text), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Tell(t.Context(), dir, present("a b"))
		if err == nil || !strings.Contains(err.Error(), files[0]) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "true", "https://example.com/hook", "http://", "@x", "http://u:SECRET@%zz", " cat  x "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "@") { // that is a file
			return
		}
		r, err := Parse(t.Context(), text)
		if err == nil && (r.url == "") == (len(r.words) == 0) {
			t.Errorf("%q: got %+v", text, r)
		}
	})
}
