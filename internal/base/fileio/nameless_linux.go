package fileio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// writeNameless writes a file that has no name until it is whole. It fails with errors.ErrUnsupported, and leaves
// nothing, where the file system has no such files.
func writeNameless(folder *os.Root, name string, data []byte, mode fs.FileMode, sync bool) error {
	dir, err := folder.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	fd, err := unix.Openat(int(dir.Fd()), ".", unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, uint32(mode.Perm()))
	if err != nil {
		return errors.ErrUnsupported // whatever it is, opening a file with a name says it better
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	err = fill(f, data, mode, sync)
	if err != nil {
		return err
	}
	err = unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), int(dir.Fd()), name, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return errors.ErrUnsupported // no /proc
	}
	return nil
}
