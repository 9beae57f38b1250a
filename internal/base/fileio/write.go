package fileio

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// temporaryName begins the names of files that are being written.
const temporaryName = ".seaworthy-"

// Temporary says that a name is that of a file whose writer was killed.
func Temporary(name string) bool { return strings.HasPrefix(name, temporaryName) }

const (
	private = 0o600
	program = 0o700
	public  = 0o644
)

// Write writes a file that its owner alone can read, and returns when it is on disk.
// What is not a regular file, such as the terminal
// behind /dev/stdout, is written in place.
func Write(path string, data []byte) error { return write(path, data, private, true) }

// WriteScript writes a file that its owner alone can read and run.
func WriteScript(path string, data []byte) error { return write(path, data, program, true) }

// WritePublic writes a file that everybody may read: documentation.
func WritePublic(path string, data []byte) error { return write(path, data, public, false) }

// WriteUnsynced is Write without waiting for the disk: for one of many files whose
// folder gets its name last.
func WriteUnsynced(path string, data []byte) error { return write(path, data, private, false) }

// Create writes a file as Write does, but fails with fs.ErrExist if it is there.
func Create(path string, data []byte) error {
	return at(path, func(to string) error {
		return writeTemporary(to, data, private, true, func(folder *os.Root, temporary, name string) error {
			err := folder.Link(temporary, name)
			if err == nil || errors.Is(err, fs.ErrExist) {
				return errors.Join(err, folder.Remove(temporary))
			}
			if _, gone := folder.Lstat(name); !errors.Is(gone, fs.ErrNotExist) {
				return fs.ErrExist
			}
			return folder.Rename(temporary, name) // a file system without links
		})
	})
}

var errIsFolder = errors.New("it is a folder: name a file in it")

// at does something to what a path leads to.
func at(path string, do func(to string) error) error {
	to, err := resolve(path)
	if err == nil {
		err = do(to)
	}
	return named(path, err)
}

// named is an error with the name that the user gave, not that of a temporary file.
func named(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: not written: %w", path, Cause(err))
}

func write(path string, data []byte, mode fs.FileMode, sync bool) error {
	return at(path, func(to string) error {
		if strings.HasSuffix(path, "/") {
			return errIsFolder
		}
		switch info, err := os.Lstat(to); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case info.IsDir():
			return errIsFolder
		case !info.Mode().IsRegular():
			if err := trustedPipe(to, info); err != nil {
				return err
			}
			return writeInPlace(to, data)
		}
		return writeTemporary(to, data, mode, sync, (*os.Root).Rename)
	})
}

// trustedPipe refuses a pipe that somebody else left where it would be written to: they
// read what comes.
func trustedPipe(path string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeNamedPipe == 0 {
		return nil
	}
	return trusted(filepath.Dir(path), path, info)
}

func writeInPlace(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// writeTemporary writes data under a temporary name in the folder of a path without links,
// and has give give it its own. An error leaves nothing.
func writeTemporary(
	path string, data []byte, mode fs.FileMode, sync bool, give func(folder *os.Root, temporary, name string) error,
) error {
	folder, err := open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	temporary := temporaryName + rand.Text()
	err = writeNamed(folder, temporary, data, mode, sync)
	if err == nil {
		err = give(folder, temporary, filepath.Base(path))
	}
	if err != nil {
		_ = folder.Remove(temporary) // the first error is the one to report
		return err
	}
	if sync {
		return syncFolder(folder)
	}
	return nil
}

// writeNamed writes a file of that name. Where the system has files without a name the file gets its name when it is
// whole, so that one who is killed meanwhile leaves none.
func writeNamed(folder *os.Root, name string, data []byte, mode fs.FileMode, sync bool) error {
	err := writeNameless(folder, name, data, mode, sync)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	f, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	return errors.Join(fill(f, data, mode, sync), f.Close())
}

// fill writes an open file.
func fill(f *os.File, data []byte, mode fs.FileMode, sync bool) error {
	_, err := f.Write(data)
	err = errors.Join(err, f.Chmod(mode))
	if sync && err == nil {
		err = f.Sync()
	}
	return err
}

// open opens a folder of a path without links; one that was exchanged for a link
// meanwhile is refused.
func open(path string) (*os.Root, error) {
	want, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	folder, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	if got, err := folder.Stat("."); err != nil || !os.SameFile(want, got) {
		folder.Close()
		return nil, fmt.Errorf("%s changed while it was opened", path)
	}
	return folder, nil
}

// syncFolder waits until a new name is on disk; some file systems cannot do that.
func syncFolder(folder *os.Root) error {
	f, err := folder.Open(".")
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, f.Close())
}
