package fileio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

const folderMode = 0o700

// Made are the folders that a call made, the outermost first.
type Made []string

// Undo removes those that are still empty: of something that failed.
func (m Made) Undo() {
	for _, dir := range slices.Backward(m) {
		_ = os.Remove(dir) // one that holds something by now is kept
	}
}

// MkdirAll makes a folder, and those above it that are missing, for their owner
// alone. A folder that is there stays as it is.
func MkdirAll(path string) (Made, error) {
	var made Made
	err := at(path, func(to string) (err error) {
		made, err = mkdirAll(to)
		return err
	})
	return made, err
}

// Mkdir makes a folder for its owner alone; one that is there is fs.ErrExist.
func Mkdir(path string) error { return at(path, mkdir) }

// Close takes a folder that is there away from everybody but its owner.
func Close(path string) error {
	return at(path, func(to string) error { return os.Chmod(to, folderMode) })
}

// MkdirTemp makes a folder with a name of its own in another.
func MkdirTemp(in, pattern string) (string, error) {
	dir, err := os.MkdirTemp(in, pattern)
	if err == nil {
		err = os.Chmod(dir, folderMode)
	}
	return dir, err
}

// Temp makes a file with a name of its own in the system's folder for such.
func Temp(pattern string) (*os.File, error) {
	f, err := os.CreateTemp("", pattern)
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(private); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// Open opens a file to write to in place, and makes it where missing, for its owner
// alone: journals, locks. Flags are os.O_WRONLY or os.O_RDWR, and os.O_APPEND.
func Open(path string, flags int) (*os.File, error) {
	to, err := resolve(path)
	if err != nil {
		return nil, named(path, err)
	}
	for {
		f, err := os.OpenFile(to, flags|syscall.O_NOFOLLOW, 0)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
		f, err = os.OpenFile(to, flags|os.O_CREATE|os.O_EXCL, private)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return f, f.Chmod(private)
	}
}

// Check makes sure that a file can be written later, when its folder has been made;
// it leaves nothing.
func Check(path string) error {
	if path == "" { // nothing is to be written
		return nil
	}
	return at(path, func(to string) error {
		switch info, err := os.Lstat(to); {
		case err == nil && info.IsDir():
			return errIsFolder
		case err == nil && !info.Mode().IsRegular():
			return trustedPipe(to, info)
		}
		made, err := mkdirAll(filepath.Dir(to))
		if err != nil {
			return err
		}
		defer made.Undo()
		return writeTemporary(filepath.Join(filepath.Dir(to), "x"), nil, private, false, func(folder *os.Root, temporary, _ string) error {
			return folder.Remove(temporary)
		})
	})
}

func mkdirAll(path string) (made Made, err error) {
	info, err := os.Lstat(path)
	if err == nil {
		if !info.IsDir() {
			return nil, &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
		}
		return nil, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if made, err = mkdirAll(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := mkdir(path); errors.Is(err, fs.ErrExist) {
		return made, nil
	} else if err != nil {
		made.Undo()
		return nil, err
	}
	return append(made, path), nil
}

// mkdir makes a folder that has its mode whatever the umask.
func mkdir(path string) error {
	if err := os.Mkdir(path, folderMode); err != nil {
		return err
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Perm() == folderMode {
		return err
	}
	return os.Chmod(path, folderMode)
}
