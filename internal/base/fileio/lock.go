package fileio

import (
	"errors"
	"os"
	"syscall"
)

// ErrLocked is when another process holds the lock of a file or folder.
var ErrLocked = errors.New("another process uses it")

// Lock takes the lock of an open file or folder without waiting. It ends when the file
// is closed, or with this process however that ends.
func Lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}
