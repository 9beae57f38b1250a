package fileio

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Free is how many bytes a user other than root can still write to the file system of a folder.
func Free(dir string) (int64, error) {
	var s unix.Statfs_t
	err := unix.Statfs(dir, &s)
	if err != nil {
		return 0, fmt.Errorf("room in %s: %w", dir, Cause(err))
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
