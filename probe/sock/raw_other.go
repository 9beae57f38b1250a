//go:build unix && !linux

package sock

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Read reads once, waiting at most Tick. n is -1 with an error; EAGAIN means
// that the tick passed, EINTR that it should be tried again. p must not be empty.
func (c *Conn) Read(p []byte) (n int, errno unix.Errno) {
	return result(unix.Read(c.fd, p))
}

// Write writes once, waiting at most Tick; a short count is normal. See Read.
func (c *Conn) Write(p []byte) (n int, errno unix.Errno) {
	return result(unix.Write(c.fd, p))
}

func result(n int, err error) (int, unix.Errno) {
	if err == nil {
		return n, 0
	}
	var errno unix.Errno
	if !errors.As(err, &errno) {
		errno = unix.EIO
	}
	return -1, errno
}
