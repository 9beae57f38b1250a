//go:build unix && !linux

package sock

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Read reads once, waiting at most Tick. n is -1 with an error; EAGAIN means
// that the tick passed, EINTR that it should be tried again. p must not be empty.
func (c *Conn) Read(p []byte) (n int, errno unix.Errno) {
	n, err := unix.Read(c.fd, p)
	_ = errors.As(err, &errno)
	return n, errno
}

// Write writes once, waiting at most Tick; a short count is normal. See Read.
func (c *Conn) Write(p []byte) (n int, errno unix.Errno) {
	n, err := unix.Write(c.fd, p)
	_ = errors.As(err, &errno)
	return n, errno
}
