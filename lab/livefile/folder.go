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
	device *os.File
	names  []string // a file's number is its place here plus firstFile
	files  map[string]File

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
	f := &Folder{files: files, open: map[uint64][]byte{}}
	for name := range files {
		f.names = append(f.names, name)
	}
	slices.Sort(f.names)
	options := fmt.Sprintf("fd=%d,rootmode=40555,user_id=%d,group_id=%d", fd, os.Geteuid(), os.Getegid())
	flags := uintptr(unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_RDONLY)
	if err := unix.Mount("seaworthy", dir, "fuse", flags, options); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("mount fuse on %s: %w", dir, err)
	}
	// Not before: a poll of the device tells of nothing until it is mounted.
	f.device = os.NewFile(uintptr(fd), "/dev/fuse")
	go f.serve()
	return f, nil
}

// Close ends the folder: its files can no longer be opened or read.
func (f *Folder) Close() error { return f.device.Close() }

// serve answers the kernel's requests, one at a time, until the folder is
// unmounted everywhere or closed.
func (f *Folder) serve() {
	buf := make([]byte, 1<<17+4096)
	for {
		n, err := f.device.Read(buf)
		switch {
		case errors.Is(err, unix.ENOENT), errors.Is(err, unix.EINTR), errors.Is(err, unix.EAGAIN):
			continue // the request was taken back
		case err != nil:
			return
		}
		if reply := f.answer(buf[:n]); reply != nil {
			if _, err := f.device.Write(reply); err != nil && !errors.Is(err, unix.ENOENT) {
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
