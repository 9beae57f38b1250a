package fileio

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

// list gives what is in a folder, with modes.
func list(t *testing.T, dir string) map[string]fs.FileMode {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]fs.FileMode{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		got[e.Name()] = info.Mode()
	}
	return got
}

// Modes do not depend on the umask. It is the process's: no other test runs meanwhile.
func TestModes(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077, 0o777} {
		dir := t.TempDir()
		was := syscall.Umask(mask)
		made, err := MkdirAll(filepath.Join(dir, "a", "b"))
		errs := []error{
			err, Mkdir(filepath.Join(dir, "a", "c")),
			Write(filepath.Join(dir, "a", "plan.json"), []byte("x")), WriteUnsynced(filepath.Join(dir, "a", "out.txt"), nil),
			WriteScript(filepath.Join(dir, "a", "implement.sh"), nil), WritePublic(filepath.Join(dir, "a", "page.1"), nil),
			Create(filepath.Join(dir, "a", "key"), nil),
		}
		f, err := Open(filepath.Join(dir, "a", "journal"), os.O_WRONLY|os.O_APPEND)
		errs = append(errs, err, f.Close())
		temp, err := MkdirTemp(filepath.Join(dir, "a"), "temp")
		errs = append(errs, err)
		syscall.Umask(was)
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		if len(made) != 2 || made[0] != filepath.Join(dir, "a") {
			t.Errorf("umask %04o: made %v", mask, made)
		}
		want := map[string]fs.FileMode{
			"b": fs.ModeDir | 0o700, "c": fs.ModeDir | 0o700, filepath.Base(temp): fs.ModeDir | 0o700, "plan.json": 0o600,
			"out.txt": 0o600, "implement.sh": 0o700, "page.1": 0o644, "key": 0o600, "journal": 0o600,
		}
		got := list(t, filepath.Join(dir, "a"))
		for name, mode := range want {
			if got[name] != mode {
				t.Errorf("umask %04o: %s has %v, want %v", mask, name, got[name], mode)
			}
		}
		if len(got) != len(want) {
			t.Errorf("umask %04o: got %v", mask, got)
		}
	}
}

// Links and pipes decide where a file goes only if the caller or the owner of their
// folder made them.
func TestLinks(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make links of other users")
	}
	const other, third = 12345, 12346
	for _, x := range []struct {
		name         string
		folder, link int
		followed     bool
	}{
		{"own in /tmp", 0, 0, true},
		{"another's in /tmp", 0, other, false},
		{"the folder's owner's", other, other, true},
		{"own in another's folder", other, 0, true},
		{"a third's in another's folder", other, third, false},
	} {
		dir := t.TempDir()
		shared, secret := filepath.Join(dir, "shared"), filepath.Join(dir, "secret")
		link := func(name, to string) string {
			at := filepath.Join(shared, name)
			if err := errors.Join(os.Symlink(to, at), os.Lchown(at, x.link, x.link)); err != nil {
				t.Fatal(err)
			}
			return at
		}
		if err := errors.Join(os.Mkdir(shared, 0o777), os.Chmod(shared, 0o1777), os.Chown(shared, x.folder, x.folder),
			os.Mkdir(secret, 0o700), os.WriteFile(filepath.Join(secret, "key"), []byte("before"), 0o600)); err != nil {
			t.Fatal(err)
		}
		file, folder, relative := link("file", filepath.Join(secret, "key")), link("folder", secret), link("relative", "../secret")
		pipe := filepath.Join(shared, "pipe")
		if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Chown(pipe, x.link, x.link)); err != nil {
			t.Fatal(err)
		}
		read, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer read.Close()
		open := func(path string) error {
			f, err := Open(path, os.O_WRONLY|os.O_APPEND)
			if err == nil {
				err = f.Close()
			}
			return err
		}
		for call, err := range map[string]error{
			"Write a link":            Write(file, []byte("after")),
			"Write to a pipe":         Write(pipe, []byte("after")),
			"Check a pipe":            Check(pipe),
			"Write below a link":      Write(filepath.Join(folder, "x"), nil),
			"Write below a relative":  Write(filepath.Join(relative, "x"), nil),
			"Write beside, by ..":     Write(filepath.Join(folder)+"/../shared/y", nil),
			"Create below a link":     Create(filepath.Join(folder, "new"), nil),
			"Open a link":             open(file),
			"Check a link":            Check(file),
			"MkdirAll below a link":   func() error { _, err := MkdirAll(filepath.Join(folder, "d", "e")); return err }(),
			"Mkdir below a link":      Mkdir(filepath.Join(folder, "f")),
			"Close a link":            Close(folder),
			"WriteScript over a link": WriteScript(filepath.Join(folder, "s.sh"), nil),
		} {
			if x.followed && err != nil || !x.followed && !errors.Is(err, ErrForeign) {
				t.Errorf("%s: %s: got %v, want it followed: %v", x.name, call, err, x.followed)
			}
		}
		text, err := os.ReadFile(filepath.Join(secret, "key"))
		if err != nil || string(text) == "before" == x.followed {
			t.Errorf("%s: the file has %q, %v", x.name, text, err)
		}
		if left := list(t, secret); !x.followed && len(left) != 1 {
			t.Errorf("%s: got %v beside the file, want nothing", x.name, left)
		}
	}
}

// What fails leaves the earlier file, no half one, and no folder.
func TestFailureLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "plan.json")
	if err := Write(at, []byte("earlier")); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	// go test writes a small log of its own meanwhile.
	const limit = 1 << 20
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	over, created := Write(at, make([]byte, 2*limit)), Create(filepath.Join(dir, "key"), make([]byte, 2*limit))
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(over, syscall.EFBIG) || !errors.Is(created, syscall.EFBIG) {
		t.Errorf("files that do not fit: got %v, %v", over, created)
	}
	if err := Create(at, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create over a file: got %v", err)
	}
	if err := Write(dir, nil); err == nil {
		t.Error("Write over a folder: got no error")
	}
	if _, err := MkdirAll(filepath.Join(at, "folder")); err == nil {
		t.Error("a folder below a file: got no error")
	}
	if got := list(t, dir); len(got) != 1 {
		t.Errorf("got %v, want plan.json alone", got)
	}
	if text, err := os.ReadFile(at); err != nil || string(text) != "earlier" {
		t.Errorf("got %q, %v, want the earlier text", text, err)
	}
	made, err := MkdirAll(filepath.Join(dir, "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "a", "kept"), nil); err != nil {
		t.Fatal(err)
	}
	made.Undo()
	if got := list(t, filepath.Join(dir, "a")); len(got) != 1 || got["kept"] == 0 {
		t.Errorf("after Undo: got %v, want what is not empty kept", got)
	}
}
