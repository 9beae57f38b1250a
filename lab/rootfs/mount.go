package rootfs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// steps does one thing after another until one fails.
type steps struct{ err error }

func (s *steps) do(f func() error) {
	if s.err == nil {
		s.err = f()
	}
}

func (s *steps) mount(source, target, fs string, flags uintptr, data string) {
	s.do(func() error {
		if err := unix.Mount(source, target, fs, flags, data); err != nil {
			return fmt.Errorf("mount %s on %s: %w", fs, target, err)
		}
		return nil
	})
}

func (s *steps) mkdir(path string) { s.do(func() error { return os.MkdirAll(path, 0o755) }) }

// link makes a link and the directory it is in.
func (s *steps) link(to, at string) {
	s.mkdir(filepath.Dir(at))
	s.do(func() error { return os.Symlink(to, at) })
}

// list gives what is in a directory; nothing if it is not there.
func (s *steps) list(dir string) (entries []os.DirEntry) {
	s.do(func() (err error) {
		if entries, err = os.ReadDir(dir); errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		return err
	})
	return entries
}

// bind shows source, with all that is mounted below it, at target, which is
// made if it is not there.
func (s *steps) bind(source, target string) {
	s.do(func() error {
		fi, err := os.Stat(source)
		if err != nil {
			return fmt.Errorf("show %s in the lab: %w", source, err)
		}
		if _, err := os.Lstat(target); errors.Is(err, os.ErrNotExist) {
			s.mkdir(filepath.Dir(target))
			if fi.IsDir() {
				s.mkdir(target)
			} else {
				s.do(func() error { return os.WriteFile(target, nil, 0o644) })
			}
		}
		if s.err != nil {
			return s.err
		}
		if err := unix.Mount(source, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("show %s in the lab at %s: %w", source, target, err)
		}
		return nil
	})
}

// close makes a directory a mount, and closes it and all below it for writing, devices and setuid.
func (s *steps) close(target string) {
	s.bind(target, target)
	s.do(func() error {
		attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
		err := unix.MountSetattr(unix.AT_FDCWD, target, unix.AT_RECURSIVE, attr)
		if errors.Is(err, unix.ENOSYS) {
			return fmt.Errorf("make %s read-only: the lab needs Linux 5.12 or newer: %w", target, err)
		}
		if err != nil {
			return fmt.Errorf("make %s read-only: %w", target, err)
		}
		return nil
	})
}
