package archive

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/base/fileio"
)

func (w *walker) tar(label string, r io.Reader, b *budget, depth int) error {
	t := tar.NewReader(metered{r, b})
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return w.problem(label, Reason(err))
		}
		inside := w.inside(label, h.Name)
		if h.Typeflag == tar.TypeLink || h.Typeflag == tar.TypeSymlink {
			w.link(inside, fmt.Sprintf("link to %q; not followed", h.Linkname))
			continue
		}
		if !w.plain(inside, h.FileInfo().Mode()) {
			continue
		}
		if !w.room(inside) {
			return nil
		}
		if err := w.stream(Entry{Path: inside, Time: h.ModTime, Size: h.Size, Text: t}, nil, b, depth+1); err != nil {
			return err
		}
	}
}

// zip reads a zip archive, which needs its end first: one inside another
// archive goes through a temporary file.
func (w *walker) zip(e Entry, r io.Reader, at io.ReaderAt, b *budget, depth int) error {
	size := e.Size
	if at == nil {
		f, n, err := w.spool(r)
		if err != nil {
			return w.problem(e.Path, Reason(err))
		}
		defer f.Close()
		at, size = f, n
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return w.problem(e.Path, "unreadable zip archive, perhaps cut off: "+err.Error())
	}
	for _, f := range z.File {
		inside := w.inside(e.Path, f.Name)
		if !w.plain(inside, f.Mode()) {
			continue
		}
		if !w.room(inside) {
			return nil
		}
		if err := w.member(f, inside, b, depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) member(f *zip.File, inside string, b *budget, depth int) error {
	r, err := f.Open()
	if err != nil {
		return w.problem(inside, Reason(err))
	}
	defer r.Close()
	return w.stream(Entry{Path: inside, Time: f.Modified, Size: -1, Text: metered{r, b}}, nil, b, depth+1)
}

// spool copies a stream to a file that has no name.
func (w *walker) spool(r io.Reader) (*os.File, int64, error) {
	f, err := fileio.Temp("seaworthy-import-")
	if err != nil {
		return nil, 0, err
	}
	_ = os.Remove(f.Name()) // where an open file cannot be removed it stays in the temporary folder
	n, err := io.Copy(f, io.LimitReader(r, w.limits.Member+1))
	if err == nil && n > w.limits.Member {
		err = fmt.Errorf("a zip of more than %d bytes inside another archive; unpack it first", w.limits.Member)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, n, nil
}

// inside labels a member. A name that leads out of the archive is cut back.
func (w *walker) inside(label, name string) string {
	slashed := strings.ReplaceAll(name, `\`, "/")
	clean := strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(slashed, "\x00", "?")), "/")
	got := path.Join(label, clean)
	if strings.HasPrefix(slashed, "/") && !w.absolute[label] {
		w.absolute[label] = true
		_ = w.problem(got, fmt.Sprintf("absolute name %q; it and others of this archive are treated as relative", name))
	}
	if slices.Contains(strings.Split(slashed, "/"), "..") {
		_ = w.problem(got, fmt.Sprintf("name %q leads out of the archive; treated as if inside", name))
	}
	return got
}
