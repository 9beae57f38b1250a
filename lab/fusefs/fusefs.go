// Package fusefs mounts a folder of files whose text is made when they are
// opened, as the kernel's own in /proc are. A lab shows its nodes figures in
// them that the kernel keeps for the whole machine only.
//
// The process that serves a folder must not os.Open its files: the runtime adds
// a file to its epoll set with a processor held, and the kernel asks this very
// process first. When the process ends the folder does: what was open then fails
// to read, and nothing waits.
package fusefs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// File makes a file's text. An unix.Errno that it fails with is what open(2)
// fails with; any other error becomes EIO.
type File func() ([]byte, error)

// Mount makes dir, in the calling thread's mount namespace, a folder of files
// and serves it until it is unmounted everywhere or the process ends.
func Mount(dir string, files map[string]File) error {
	// The library would mount it too, but leave the descriptor open to children.
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open /dev/fuse: %w", err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=40555,user_id=%d,group_id=%d", fd, os.Geteuid(), os.Getegid())
	if err := unix.Mount("seaworthy", dir, "fuse", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, options); err != nil {
		unix.Close(fd)
		return fmt.Errorf("mount fuse on %s: %w", dir, err)
	}
	forever := time.Hour
	tree := fs.NewNodeFS(&root{files: files}, &fs.Options{EntryTimeout: &forever, AttrTimeout: &forever})
	s, err := fuse.NewServer(tree, fmt.Sprintf("/dev/fd/%d", fd), &fuse.MountOptions{DisableXAttrs: true})
	if err != nil {
		return fmt.Errorf("serve %s: %w", dir, err)
	}
	go s.Serve()
	return nil
}

// root is the folder.
type root struct {
	fs.Inode
	files map[string]File
}

// OnAdd adds the files.
func (r *root) OnAdd(ctx context.Context) {
	for name, text := range r.files {
		r.AddChild(name, r.NewPersistentInode(ctx, &file{text: text}, fs.StableAttr{Mode: unix.S_IFREG}), false)
	}
}

type file struct {
	fs.Inode
	text File
}

// Getattr gives the attributes of a file in /proc: readable for all, without a size.
func (*file) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode = 0o444
	return fs.OK
}

// Open makes the text. Direct: the kernel keeps no copy, and asks whatever the size is.
func (f *file) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	text, err := f.text()
	var no syscall.Errno
	switch {
	case errors.As(err, &no):
		return nil, 0, no
	case err != nil:
		return nil, 0, unix.EIO
	}
	return opened(text), fuse.FOPEN_DIRECT_IO, fs.OK
}

// opened is the text of an open file.
type opened []byte

// Read gives a part of it.
func (o opened) Read(_ context.Context, dest []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	text := o[min(at, int64(len(o))):]
	return fuse.ReadResultData(text[:min(len(text), len(dest))]), fs.OK
}
