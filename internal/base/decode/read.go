package decode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// Error holds what is wrong with a file, and where.
type Error struct {
	File string
	Line int // from 1; 0: the whole file
	Msg  string
}

// longest is how much of a message is shown, in bytes: it may quote the file.
const longest = 1000

func (e *Error) Error() string {
	msg := e.Msg
	if len(msg) > longest {
		msg = strings.ToValidUTF8(msg[:longest], "") + "…"
	}
	if e.Line == 0 {
		return e.File + ": " + msg
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + msg
}

// Read reads a file of at most limit bytes; a larger one is an *Error. The file
// may be a pipe: waiting for it ends with the context.
func Read(ctx context.Context, file string, limit int64) ([]byte, error) {
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Size() > limit {
		return nil, tooLarge(file, limit)
	}
	return within(ctx, file, func() ([]byte, error) {
		f, err := os.Open(file) // waits for the writer of a pipe
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return ReadFrom(context.WithoutCancel(ctx), file, f, limit)
	})
}

// ReadFrom is Read of what is open already, such as standard input.
func ReadFrom(ctx context.Context, name string, from io.Reader, limit int64) ([]byte, error) {
	return within(ctx, name, func() ([]byte, error) {
		text, err := io.ReadAll(io.LimitReader(from, limit+1))
		if at := (*fs.PathError)(nil); err != nil && !errors.As(err, &at) {
			err = fmt.Errorf("%s: %w", name, err)
		}
		if err == nil && int64(len(text)) > limit {
			err = tooLarge(name, limit)
		}
		return text, err
	})
}

func tooLarge(name string, limit int64) error {
	size := strconv.FormatInt(limit, 10) + " bytes"
	if limit%(1<<20) == 0 {
		size = strconv.FormatInt(limit>>20, 10) + " MiB"
	}
	return &Error{File: name, Msg: "larger than " + size}
}

// within leaves a read that waits behind when the context ends.
func within(ctx context.Context, name string, read func() ([]byte, error)) ([]byte, error) {
	var text []byte
	var err error
	if cut := Within(ctx, func() { text, err = read() }); cut != nil {
		return nil, fmt.Errorf("%s: %w", name, cut)
	}
	return text, err
}
