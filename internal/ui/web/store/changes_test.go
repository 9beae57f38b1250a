package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/await"
)

const manifestText = `{"schema":"seaworthy.snapshot/1","host":"HOST","platform":"aix",
 "commands":[{"id":"uname-a","line":"uname -a","stdout":"uname-a.txt"}]}`

// write makes a file and the folders above it.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func opened(t *testing.T, dir string) *Store {
	t.Helper()
	set, err := rule.Compile(knowledge.BuiltIn().Rules())
	if err != nil {
		t.Fatal(err)
	}
	s := Open(t.Context(), Options{Dirs: []string{dir}, Rules: set, Every: 5 * time.Millisecond})
	<-s.Ready()
	return s
}

// hosts are those that are shown now.
func hosts(s *Store) string {
	state, err := s.State()
	if err != nil {
		return err.Error()
	}
	var names []string
	for _, r := range state.Rows {
		names = append(names, r.Host)
	}
	return strings.Join(names, " ")
}

// A host that was looked at while it was copied is there when the copy is whole,
// also if the copy keeps the times of the original.
func TestCopiedHost(t *testing.T) {
	for name, keep := range map[string]bool{"scp": false, "rsync -t": true} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "a", "manifest.json"), strings.Replace(manifestText, "HOST", "a", 1))
		write(t, filepath.Join(dir, "a", "uname-a.txt"), "AIX a 2 7 00C8D2E44C00\n")
		write(t, filepath.Join(dir, "b", "manifest.json"), strings.Replace(manifestText, "HOST", "b", 1))
		s := opened(t, dir)
		if state, err := s.State(); err != nil || len(state.Problems) == 0 {
			t.Fatalf("%s: half a host: %+v, %v", name, state, err)
		}
		write(t, filepath.Join(dir, "b", "uname-a.txt"), "AIX b 2 7 00C8D2E44C00\n")
		if keep {
			old := time.Now().Add(-48 * time.Hour)
			for _, path := range []string{"b/uname-a.txt", "b/manifest.json", "b"} {
				if err := os.Chtimes(filepath.Join(dir, path), old, old); err != nil {
					t.Fatal(err)
				}
			}
		}
		await.Until(t, "both hosts", func() bool { return hosts(s) == "a b" })
	}
}

// A link that leads to a folder shows what changes there, and where it leads to next.
func TestLinkedFolder(t *testing.T) {
	dir := t.TempDir()
	for host, day := range map[string]string{"a": "monday", "c": "tuesday"} {
		write(t, filepath.Join(dir, day, host, "manifest.json"), strings.Replace(manifestText, "HOST", host, 1))
		write(t, filepath.Join(dir, day, host, "uname-a.txt"), "AIX x 2 7 00C8D2E44C00\n")
	}
	today := filepath.Join(dir, "today")
	if err := os.Symlink("monday", today); err != nil {
		t.Fatal(err)
	}
	s := opened(t, today)
	if got := hosts(s); got != "a" {
		t.Fatalf("got %q, want a", got)
	}
	write(t, filepath.Join(dir, "monday", "b", "uname-a.txt"), "AIX b 2 7 00C8D2E44C00\n")
	write(t, filepath.Join(dir, "monday", "b", "manifest.json"), strings.Replace(manifestText, "HOST", "b", 1))
	await.Until(t, "what came into the folder", func() bool { return hosts(s) == "a b" })
	if err := os.Symlink("tuesday", today+".new"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(today+".new", today); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "where the link leads to now", func() bool { return hosts(s) == "c" })
}

// A pipe in the place of a result is refused at once: nobody waits for its writer.
func TestPipeInPlaceOfAResult(t *testing.T) {
	file := filepath.Join(t.TempDir(), "result.json")
	if err := unix.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if _, err := ReadResult(t.Context(), file); err == nil || !strings.Contains(err.Error(), "not a plain file") {
			t.Fatalf("got %v, want that it is not a plain file", err)
		}
		if _, _, err := ReadPlan(t.Context(), file); err == nil || !strings.Contains(err.Error(), "not a plain file") {
			t.Fatalf("got %v, want that it is not a plain file", err)
		}
	}
}

// Outputs of many megabytes are not read for all viewers at once.
func TestOutputsAreReadInTurn(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a", "manifest.json"), strings.Replace(manifestText, "HOST", "a", 1))
	write(t, filepath.Join(dir, "a", "uname-a.txt"), "AIX a 2 7 00C8D2E44C00\n")
	state, err := opened(t, dir).State()
	if err != nil {
		t.Fatal(err)
	}
	for range readsAtOnce {
		state.reads <- struct{}{}
	}
	read := make(chan error, 1)
	go func() {
		_, err := state.Output("a", "uname -a", 0, "")
		read <- err
	}()
	select {
	case err := <-read:
		t.Errorf("it was read beside %d others: %v", readsAtOnce, err)
	case <-time.After(100 * time.Millisecond):
	}
	<-state.reads
	if err := <-read; err != nil {
		t.Error(err)
	}
}
