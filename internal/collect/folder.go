package collect

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// openFolder opens the folder of a snapshot below the one that a user named. It goes
// from handle to handle: a folder that another user exchanges for a link meanwhile
// shows nothing that lies elsewhere. top is dir or one above it.
func openFolder(top, dir string) (*os.Root, error) {
	root, err := os.OpenRoot(top)
	if err != nil || top == dir {
		return root, err
	}
	defer root.Close()
	below, err := filepath.Rel(top, dir)
	if err != nil {
		return nil, err
	}
	return root.OpenRoot(below)
}

// readPlain reads a plain file of a folder: no link, nothing oversized.
func readPlain(folder *os.Root, name string, limit int64) ([]byte, error) {
	listed, err := folder.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !listed.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a plain file", name)
	case listed.Size() > limit:
		return nil, fmt.Errorf("%s has %d bytes, more than the limit of %d", name, listed.Size(), limit)
	}
	f, err := folder.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	opened, err := f.Stat()
	if err == nil && !os.SameFile(listed, opened) {
		err = fmt.Errorf("%s was exchanged while it was read", name)
	}
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(make([]byte, 0, listed.Size()+bytes.MinRead))
	_, err = b.ReadFrom(io.LimitReader(f, limit))
	return b.Bytes(), err
}
