package fusefs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// mounted shows a folder to f, on a thread with a mount namespace of its own.
func mounted(t *testing.T, files map[string]File, f func(dir string)) {
	t.Helper()
	dir := t.TempDir()
	var why error
	var wg sync.WaitGroup
	wg.Go(func() {
		runtime.LockOSThread() // never unlocked: the thread ends with its namespace
		why = unix.Unshare(unix.CLONE_FS | unix.CLONE_NEWNS)
		if why != nil {
			return
		}
		why = unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
		if why != nil {
			return
		}
		why = Mount(dir, files)
		if why != nil {
			return
		}
		f(dir)
		_ = unix.Unmount(dir, unix.MNT_DETACH)
	})
	wg.Wait()
	if errors.Is(why, os.ErrPermission) || errors.Is(why, os.ErrNotExist) || errors.Is(why, unix.ENODEV) {
		t.Skipf("FUSE cannot be mounted here: %v", why)
	}
	if why != nil {
		t.Fatal(why)
	}
}

// read is os.ReadFile without the runtime's poller: that adds a file to its
// epoll set with a processor held, and the kernel asks this very process first.
func read(path string) ([]byte, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var all []byte
	buf := make([]byte, 4096)
	for {
		n, err := unix.Read(fd, buf)
		if n <= 0 || err != nil {
			return all, err
		}
		all = append(all, buf[:n]...)
	}
}

func TestFolder(t *testing.T) {
	var opened atomic.Int32
	files := map[string]File{
		"count": func() ([]byte, error) { return fmt.Appendf(nil, "%d\n", opened.Add(1)), nil },
		"long":  func() ([]byte, error) { return make([]byte, 50_000), nil },
		"not":   func() ([]byte, error) { return nil, fmt.Errorf("nobody knows: %w", unix.ENODATA) },
		"other": func() ([]byte, error) { return nil, errors.New("broken") },
	}
	mounted(t, files, func(dir string) {
		for _, want := range []string{"1\n", "2\n"} {
			if got, err := read(filepath.Join(dir, "count")); err != nil || string(got) != want {
				t.Errorf("count: got %q, %v, want %q", got, err, want)
			}
		}
		if got, err := read(filepath.Join(dir, "long")); err != nil || len(got) != 50_000 {
			t.Errorf("long: got %d bytes, %v, want 50000", len(got), err)
		}
		for name, want := range map[string]error{"not": unix.ENODATA, "other": unix.EIO, "missing": unix.ENOENT} {
			if _, err := read(filepath.Join(dir, name)); !errors.Is(err, want) {
				t.Errorf("%s: got %v, want %v", name, err, want)
			}
		}
		if fd, err := unix.Open(filepath.Join(dir, "count"), unix.O_WRONLY|unix.O_TRUNC, 0); err != unix.EROFS {
			unix.Close(fd)
			t.Errorf("write: got %v, want %v", err, unix.EROFS)
		}
	})
}
