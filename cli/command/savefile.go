package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// SaveFile writes a file whole or not at all. It follows a link; what is not a
// regular file, such as a terminal behind /dev/stdout, is written in place.
func SaveFile(path string, text []byte) error {
	path, special := target(path)
	if special {
		return unsaved(path, os.WriteFile(path, text, 0o600))
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".seaworthy-*")
	if err != nil {
		return unsaved(path, err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	err = cmp.Or(err, tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	return unsaved(path, err)
}

// unsaved is an error without the name of a temporary file.
func unsaved(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: not written: %w", path, Cause(err))
}

// CheckWritable makes sure that a result can be written once it is there, since
// a measurement takes minutes. It creates the folder if it is missing.
func CheckWritable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name a file in it", path)
	}
	path, special := target(path)
	if path == "" || special {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return unsaved(path, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".seaworthy-*")
	if err != nil {
		return unsaved(path, err)
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}

// target is where a file is to be written: where a link leads. Special is what
// is not a regular file, or a link to nothing.
func target(path string) (to string, special bool) {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	info, err := os.Lstat(path)
	return path, err == nil && !info.Mode().IsRegular()
}

// Cause is an error without the file's name, which the caller adds.
func Cause(err error) error {
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
