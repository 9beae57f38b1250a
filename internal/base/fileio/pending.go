package fileio

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Pending is a file that is written bit by bit, under a temporary name until it is whole.
type Pending struct {
	path, to  string
	folder    *os.Root
	f         *os.File
	temporary string
}

// Begin begins a file that its owner alone can read. The caller ends it with Finish or Drop.
func Begin(path string) (*Pending, error) {
	p := &Pending{path: path, temporary: temporaryName + rand.Text()}
	err := at(path, func(to string) (err error) {
		p.to = to
		p.folder, err = open(filepath.Dir(to))
		if err != nil {
			return err
		}
		p.f, err = p.folder.OpenFile(p.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, private)
		if err != nil {
			return errors.Join(err, p.folder.Close())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Write adds to the file.
func (p *Pending) Write(data []byte) (int, error) {
	n, err := p.f.Write(data)
	return n, named(p.path, err)
}

// Finish gives the file its name once it is on disk. An error leaves nothing.
func (p *Pending) Finish() error {
	err := fill(p.f, nil, private, true)
	err = errors.Join(err, p.f.Close())
	if err == nil {
		err = p.folder.Rename(p.temporary, filepath.Base(p.to))
	}
	if err != nil {
		_ = p.folder.Remove(p.temporary) // the first error is the one to report
	} else {
		err = syncFolder(p.folder)
	}
	return named(p.path, errors.Join(err, p.folder.Close()))
}

// Drop leaves nothing of the file.
func (p *Pending) Drop() {
	_ = p.f.Close()
	_ = p.folder.Remove(p.temporary)
	_ = p.folder.Close()
}

// PendingFolder is a folder that is filled under another name, beside its own, until it is whole.
type PendingFolder struct {
	Dir  string // to write to
	path string
	to   string
	lock *os.File
	made Made // folders above it
}

// Endings of the names of a folder that is being filled, and of the one that it replaces.
const (
	filling  = ".partial"
	replaced = ".replaced"
)

// BeginFolder begins a folder for its owner alone, which may be there: Finish replaces it. What a
// killed process left of such a folder is removed. ErrLocked: another process fills it.
func BeginFolder(path string) (*PendingFolder, error) {
	p := &PendingFolder{path: path}
	err := at(strings.TrimRight(path, "/"), func(to string) (err error) {
		base := filepath.Join(filepath.Dir(to), temporaryName+filepath.Base(to))
		p.to, p.Dir = to, base+filling
		p.made, err = mkdirAll(p.Dir)
		if err != nil {
			return err
		}
		p.lock, err = os.Open(p.Dir)
		if err == nil {
			err = lockFolder(p.lock, p.Dir)
		}
		if err != nil {
			return err
		}
		return errors.Join(empty(p.Dir), restoreReplaced(base+replaced, to))
	})
	if err != nil {
		if p.lock != nil {
			_ = p.lock.Close()
		}
		if !errors.Is(err, ErrLocked) {
			p.made.Undo()
		}
		return nil, err
	}
	return p, nil
}

// lockFolder locks an open folder; one that was given another name meanwhile is another process's.
func lockFolder(f *os.File, dir string) error {
	err := Lock(f)
	if err != nil {
		return err
	}
	got, err := f.Stat()
	if err != nil {
		return err
	}
	is, err := os.Lstat(dir)
	if err != nil || !os.SameFile(got, is) {
		return ErrLocked
	}
	return nil
}

// empty removes what is in a folder.
func empty(dir string) error {
	all, err := os.ReadDir(dir)
	for _, e := range all {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// restoreReplaced ends a replacement in which a process was killed: between its two renames the old folder gets its name back.
func restoreReplaced(old, to string) error {
	_, err := os.Lstat(to)
	if errors.Is(err, os.ErrNotExist) {
		err = os.Rename(old, to)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	return os.RemoveAll(old)
}

// Finish gives the folder its name; the one that had it is removed.
func (p *PendingFolder) Finish() error {
	defer p.lock.Close()
	old := filepath.Join(filepath.Dir(p.to), temporaryName+filepath.Base(p.to)+replaced)
	err := os.Rename(p.to, old)
	had := err == nil
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = os.Rename(p.Dir, p.to)
	}
	if err != nil {
		if had {
			err = errors.Join(err, os.Rename(old, p.to))
		}
		_ = os.RemoveAll(p.Dir) // the first error is the one to report
		return named(p.path, err)
	}
	if had {
		err = os.RemoveAll(old)
		if err != nil {
			return fmt.Errorf("%s is written, and what it replaces is left in %s: %w", p.path, old, Cause(err))
		}
	}
	return nil
}

// Drop leaves nothing of what was written.
func (p *PendingFolder) Drop() {
	_ = os.RemoveAll(p.Dir)
	_ = p.lock.Close()
	p.made.Undo()
}
