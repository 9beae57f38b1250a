package livefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// File makes a file's text. An unix.Errno that it fails with is what open(2)
// fails with; any other error becomes EIO.
type File func() ([]byte, error)

// Folder is a mounted folder of live files.
type Folder struct {
	device int      // /dev/fuse
	wake   int      // an eventfd that ends serve
	names  []string // a file's number is its place here plus firstFile
	files  map[string]File

	once  sync.Once
	ended chan struct{}

	mu   sync.Mutex
	open map[uint64][]byte // text of an open file by its handle
	next uint64
}

const (
	rootNode  = 1
	firstFile = 2
	// maxText bounds a file.
	maxText = 1 << 16
	// maxOpen bounds how many can be open at once.
	maxOpen = 4096
)

// Mount makes dir, in the calling thread's mount namespace, a folder of files
// and serves it until the process ends or Close.
func Mount(dir string, files map[string]File) (*Folder, error) {
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("open /dev/fuse: %w", err)
	}
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("eventfd: %w", err)
	}
	f := &Folder{files: files, open: map[uint64][]byte{}, wake: wake, ended: make(chan struct{})}
	for name := range files {
		f.names = append(f.names, name)
	}
	slices.Sort(f.names)
	options := fmt.Sprintf("fd=%d,rootmode=40555,user_id=%d,group_id=%d", fd, os.Geteuid(), os.Getegid())
	flags := uintptr(unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_RDONLY)
	if err := unix.Mount("seaworthy", dir, "fuse", flags, options); err != nil {
		unix.Close(fd)
		unix.Close(wake)
		return nil, fmt.Errorf("mount fuse on %s: %w", dir, err)
	}
	f.device = fd
	go f.serve()
	return f, nil
}

// Close ends the folder: its files can no longer be opened or read.
func (f *Folder) Close() {
	f.once.Do(func() {
		_, _ = unix.Write(f.wake, order.AppendUint64(nil, 1))
		<-f.ended
		unix.Close(f.wake)
	})
}

// serve answers the kernel's requests, one at a time, until the folder is
// unmounted everywhere or closed. It waits by poll(2), not in the runtime's
// epoll set, which the kernel may hold locked while it asks us.
func (f *Folder) serve() {
	defer close(f.ended)
	defer unix.Close(f.device)
	buf := make([]byte, 1<<17+4096)
	wait := []unix.PollFd{{Fd: int32(f.device), Events: unix.POLLIN}, {Fd: int32(f.wake), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(wait, -1); err != nil && err != unix.EINTR || wait[1].Revents != 0 {
			return
		}
		n, err := unix.Read(f.device, buf)
		switch err {
		case nil:
		case unix.ENOENT, unix.EINTR, unix.EAGAIN:
			continue // the request was taken back
		default:
			return
		}
		if reply := f.answer(buf[:n]); reply != nil {
			if _, err := unix.Write(f.device, reply); err != nil && err != unix.ENOENT {
				return
			}
		}
	}
}

// number is a file's node; false if there is none of that name.
func (f *Folder) number(name string) (uint64, bool) {
	i, ok := slices.BinarySearch(f.names, name)
	return uint64(i) + firstFile, ok
}

// opened makes a file's text and gives its handle.
func (f *Folder) opened(node uint64) (uint64, unix.Errno) {
	if node < firstFile || node-firstFile >= uint64(len(f.names)) {
		return 0, unix.EISDIR
	}
	text, err := f.files[f.names[node-firstFile]]()
	var no unix.Errno
	switch {
	case errors.As(err, &no):
		return 0, no
	case err != nil || len(text) > maxText:
		return 0, unix.EIO
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.open) >= maxOpen {
		return 0, unix.ENFILE
	}
	f.next++
	f.open[f.next] = text
	return f.next, 0
}

// part is what is read of an open file.
func (f *Folder) part(handle, at uint64, size uint32) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := f.open[handle]
	if at >= uint64(len(text)) {
		return nil
	}
	return text[at:min(uint64(len(text)), at+uint64(size))]
}

func (f *Folder) released(handle uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, handle)
}

var order = binary.NativeEndian
