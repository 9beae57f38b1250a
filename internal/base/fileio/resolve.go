package fileio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is how many links a path may lead over, as in the kernel.
const maxLinks = 40

// ErrForeign says that a path leads over a link, or to a pipe, that somebody else has
// made.
var ErrForeign = errors.New("another user's link or pipe, which is not used")

// resolve gives the absolute path to which a path leads, without links; its last
// elements need not exist. It also gives what an open descriptor in /proc stands for
// a pipe or terminal: /dev/stdout leads there.
func resolve(path string) (string, error) {
	if path == "" {
		return "", fs.ErrNotExist
	}
	if !filepath.IsAbs(path) {
		wd, err := os.Getwd()
		if err != nil {
			return "", err
		}
		path = wd + "/" + path
	}
	at, rest, links := "/", strings.Split(path, "/"), 0
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		info, err := os.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) {
			return filepath.Join(append([]string{next}, rest...)...), nil
		}
		if err != nil {
			return "", Cause(err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		links++
		if links > maxLinks {
			return "", syscall.ELOOP
		}
		if err := trusted(at, next, info); err != nil {
			return "", err
		}
		to, err := os.Readlink(next)
		if err != nil {
			return "", Cause(err)
		}
		if _, err := os.Lstat(filepath.Join(at, to)); strings.HasPrefix(at, "/proc/") && !filepath.IsAbs(to) && err != nil {
			return next, nil // pipe:[1234]
		}
		if filepath.IsAbs(to) {
			at = "/"
		}
		rest = append(strings.Split(to, "/"), rest...)
	}
	return at, nil
}

// trusted: the caller or the owner of its folder has made a link or a pipe.
func trusted(folder, link string, info fs.FileInfo) error {
	own, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(own.Uid) == os.Geteuid() {
		return nil
	}
	in, err := os.Lstat(folder)
	if err != nil {
		return Cause(err)
	}
	if of, ok := in.Sys().(*syscall.Stat_t); ok && of.Uid == own.Uid {
		return nil
	}
	return fmt.Errorf("%s is %w (uid %d): remove it or name another file", link, ErrForeign, own.Uid)
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
