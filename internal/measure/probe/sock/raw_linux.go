package sock

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Read reads once, waiting at most Tick. n is -1 with an error; EAGAIN means
// that the tick passed, EINTR that it should be tried again. p must not be empty.
//
// It bypasses the scheduler's bookkeeping of system calls: a loop that blocks
// for some tens of microseconds in every call would otherwise lose its
// processor each time, and the runtime's monitor would wake as often.
//
// It must not be inlined: its entry is the one place where a loop of nothing
// but reads lets the runtime stop it.
//
//go:noinline
func (c *Conn) Read(p []byte) (n int, errno unix.Errno) {
	r, _, errno := unix.RawSyscall(unix.SYS_READ, uintptr(c.fd), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
	return int(r), errno
}

// Write writes once, waiting at most Tick; a short count is normal. See Read.
//
//go:noinline
func (c *Conn) Write(p []byte) (n int, errno unix.Errno) {
	r, _, errno := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(c.fd), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)), unix.MSG_NOSIGNAL, 0, 0)
	return int(r), errno
}
