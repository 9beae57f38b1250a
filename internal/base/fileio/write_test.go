package fileio

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// A file is replaced; a link to one and what is not a file stay what they are.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for link, to := range map[string]string{"link": "plain", "dangling": "made", "fd": "/proc/self/fd/" + fd(t, at("open"))} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct{ write, read string }{{"plain", "plain"}, {"link", "plain"}, {"dangling", "made"}, {"fd", "open"}} {
		text := "by " + x.write
		if err := Write(at(x.write), []byte(text)); err != nil {
			t.Errorf("%s: %v", x.write, err)
			continue
		}
		if got, err := os.ReadFile(at(x.read)); err != nil || string(got) != text {
			t.Errorf("%s: %s has %q, %v, want %q", x.write, x.read, got, err, text)
		}
	}
	for path, ok := range map[string]bool{at("later/result.json"): true, at("plain"): true, at("fd"): true, at("plain/result.json"): false, dir: false} {
		if err := Check(path); (err == nil) != ok {
			t.Errorf("%s: got %v, want %v that it can be saved", path, err, ok)
		}
	}
	if _, err := os.Lstat(at("later")); err == nil {
		t.Error("asking whether a file can be written left a folder")
	}
	if got, err := os.ReadFile(at("plain")); err != nil || string(got) != "by link" {
		t.Errorf("plain: got %q, %v, want that asking changes nothing", got, err)
	}
	for _, link := range []string{"link", "dangling", "fd"} {
		if info, err := os.Lstat(at(link)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: got %v, %v, want that it is still a link", link, info, err)
		}
	}
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		text, err := os.ReadFile(at("pipe"))
		if err != nil {
			t.Error(err)
		}
		read <- string(text)
	}()
	if err := Write(at("pipe"), []byte("through")); err != nil {
		t.Fatal(err)
	}
	if got := <-read; got != "through" {
		t.Errorf("pipe: got %q, want what was written", got)
	}
	if info, err := os.Lstat(at("pipe")); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("pipe: got %v, %v, want that it is still a pipe", info, err)
	}
}

// fd is the number of an open file.
func fd(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return strconv.Itoa(int(f.Fd()))
}

// A file gets its name when it is whole: until then one who is killed leaves nothing, where the system can do that.
func TestNameless(t *testing.T) {
	dir := t.TempDir()
	folder, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	err = writeNameless(folder, "whole", []byte("text"), 0o600, true)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this file system has no files without a name")
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "whole"))
	if got := list(t, dir); err != nil || string(text) != "text" || len(got) != 1 || got["whole"] != 0o600 {
		t.Errorf("got %q, %v and %v, want the file alone", text, err, got)
	}
}
