package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// saveFile writes a file whole or not at all: the one that a link leads to.
// What stands there and is no file, as a terminal behind /dev/stdout, is
// written to and stays.
func saveFile(path string, text []byte) error {
	path, special := place(path)
	if special {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return fmt.Errorf("%s: not written: %w", path, cause(err))
		}
		return nil
	}
	tmp, err := beginFile(path)
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("%s: not written: %w", path, cause(err))
	}
	return nil
}

// canSave makes sure that a result can be written once it is there, since a
// measurement takes minutes. It makes the folder if need be.
func canSave(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name a file in it", path)
	}
	path, special := place(path)
	if path == "" || special {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("%s: not written: %w", path, cause(err))
	}
	tmp, err := beginFile(path)
	if err != nil {
		return err
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}

// place is where a file is to be written: where a link leads. Special is what
// is no file, or a link to none.
func place(path string) (to string, special bool) {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	info, err := os.Lstat(path)
	return path, err == nil && !info.Mode().IsRegular()
}

// beginFile makes the file that is to take a place.
func beginFile(path string) (*os.File, error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".seaworthy-*")
	if err != nil {
		return nil, fmt.Errorf("%s: not written: %w", path, cause(err))
	}
	return tmp, nil
}

// cause is an error without the name of a temporary file.
func cause(err error) error {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &file):
		return file.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
