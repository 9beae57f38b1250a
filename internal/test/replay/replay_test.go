package replay_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/test/replay"
	"seaworthy/remote"
)

const manifest = `{"schema":"seaworthy.snapshot/1","host":"lpar1","environment":"LC_ALL=C","commands":[
 {"id":"uname","line":"uname -a","stdout":"uname.txt"},
 {"id":"bad","line":"entstat -d ent9","stderr":"err.txt","exit":1},
 {"id":"cut","line":"netstat -s","stdout":"uname.txt","error":"time limit reached"},
 {"id":"out","line":"escape","stdout":"../secret"},
 {"id":"link","line":"link","stdout":"link"},
 {"id":"gone","line":"gone","stdout":"gone.txt"}]}`

func folder(t *testing.T, manifest string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lpar1")
	for name, text := range map[string]string{
		"lpar1/manifest.json": manifest, "lpar1/uname.txt": "AIX lpar1 2 7\n", "lpar1/err.txt": "entstat: 0909-002\n", "secret": "no\n"} {
		p := filepath.Join(filepath.Dir(dir), name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRun(t *testing.T) {
	h, err := replay.Open(folder(t, manifest))
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, tc := range []struct {
		line, stdout, stderr string
		exit                 int
		err                  string // part of the message; empty: none
	}{
		{line: "uname -a", stdout: "AIX lpar1 2 7\n"},
		{line: "LC_ALL=C uname -a", stdout: "AIX lpar1 2 7\n"},
		{line: "entstat -d ent9", stderr: "entstat: 0909-002\n", exit: 1},
		{line: "netstat -s", stdout: "AIX lpar1 2 7\n", err: "time limit reached"},
		{line: "uname  -a", err: "not in this snapshot"},
		{line: "escape", err: "leads out"},
		{line: "link", err: "not a plain file"},
		{line: "gone", err: "no such file"},
	} {
		res, err := h.Run(context.Background(), remote.Command{Line: tc.line})
		if tc.err != "" {
			if !errors.Is(err, replay.ErrNotRecorded) || !strings.Contains(err.Error(), tc.err) || !strings.Contains(err.Error(), "lpar1: "+tc.line) {
				t.Errorf("%q: got error %v, want ErrNotRecorded saying %q", tc.line, err, tc.err)
			}
		} else if err != nil {
			t.Errorf("%q: %v", tc.line, err)
		}
		if tc.stdout+tc.stderr != "" && (res == nil || string(res.Stdout) != tc.stdout || string(res.Stderr) != tc.stderr || res.Exit != tc.exit) {
			t.Errorf("%q: got %+v, want %+v", tc.line, res, tc)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	for name, m := range map[string]string{"not JSON": "{", "no host": "{}", "wrong type": `{"host":5}`} {
		if _, err := replay.Open(folder(t, m)); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	if _, err := replay.Open(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no folder: got no error")
	}
}
