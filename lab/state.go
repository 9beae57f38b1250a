package lab

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/remote/labs"
	"seaworthy/lab/supervisor"
)

// maxSocketPath holds what the kernel allows for the name of a unix socket.
const maxSocketPath = 107

// openStateDir makes the folder if needed. Anyone who can write to it could take
// the place of a lab's hosts, so it must be the caller's own.
func openStateDir(dir string) (string, error) {
	if dir == "" {
		dir = labs.Dir()
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if _, err := fileio.MkdirAll(filepath.Dir(dir)); err != nil {
		return "", fmt.Errorf("state folder: %w", err)
	}
	if err := fileio.Mkdir(dir); err != nil && !errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("state folder: %w", err)
	}
	if err := labs.CheckOwn(dir); err != nil {
		return "", err
	}
	return dir, nil
}

// errRunning: the lab's lock is held.
var errRunning = errors.New("is running")

// lock takes the lock of a lab's state folder, making both where missing. The
// lock is held by its file, and by every copy of it that a child process got.
func lock(dir string) (*os.File, error) {
	for {
		err := fileio.Mkdir(dir)
		if errors.Is(err, os.ErrNotExist) && isFolder(filepath.Dir(dir)) {
			continue // what guards a lab that ended removed the folder as it was made
		}
		if err != nil && !errors.Is(err, os.ErrExist) {
			return nil, err
		}
		f, err := fileio.Open(supervisor.LockFile(dir), os.O_RDWR)
		if errors.Is(err, os.ErrNotExist) {
			continue // a lab that was just cleaned up took the folder with it
		}
		if err != nil {
			return nil, err
		}
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
			f.Close()
			if err == unix.EWOULDBLOCK {
				return nil, errRunning
			}
			return nil, fmt.Errorf("%s: %w", supervisor.LockFile(dir), err)
		}
		// The file may have been removed between opening and locking.
		mine, err := f.Stat()
		if err == nil {
			if now, err := os.Lstat(supervisor.LockFile(dir)); err == nil && os.SameFile(mine, now) {
				return f, nil
			}
		}
		f.Close()
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// remove takes a lab's folder away, the lock last: a folder that still has
// something in it is never without its lock for long.
func remove(dir string) error {
	slog.Debug("remove the lab's folder", "dir", dir)
	if err := empty(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.RemoveAll(dir)
}

// empty removes what a dead lab left in its folder, but the lock.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("clean up: %w", err)
	}
	for _, e := range entries {
		if p := filepath.Join(dir, e.Name()); p != supervisor.LockFile(dir) {
			if err := os.RemoveAll(p); err != nil {
				return err
			}
		}
	}
	return nil
}
