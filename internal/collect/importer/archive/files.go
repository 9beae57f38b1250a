package archive

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Walk gives every plain file at name: the file itself, those of a folder, or
// those of an archive; a link that the user named is followed. The error is about
// the argument as a whole, or the visitor's; everything else is reported to the
// visitor as a Problem.
func Walk(ctx context.Context, name string, l Limits, v Visitor) error {
	w := &walker{ctx: ctx, visit: v, limits: l.filled(), absolute: map[string]bool{}}
	st, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	label := path.Clean(filepath.ToSlash(name))
	switch {
	case st.IsDir():
		return w.folder(name, label)
	case !st.Mode().IsRegular():
		return fmt.Errorf("import %s: neither a regular file nor a folder", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	defer f.Close()
	return w.file(f, label, st)
}

// folder reads the plain files of a folder and of those below it.
func (w *walker) folder(name, label string) error {
	root, err := os.OpenRoot(name)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(at string, d fs.DirEntry, err error) error {
		if w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		inside := path.Join(label, at)
		switch {
		case err != nil:
			_ = w.problem(inside, err.Error())
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !w.plain(inside, d.Type()):
			return nil
		}
		if !w.room(inside) {
			return fs.SkipAll
		}
		f, err := root.Open(at)
		if err != nil {
			return w.problem(inside, err.Error())
		}
		defer f.Close()
		st, err := f.Stat()
		if err != nil || !st.Mode().IsRegular() {
			return w.problem(inside, "changed while it was read")
		}
		return w.file(f, inside, st)
	})
}

func (w *walker) file(f *os.File, label string, st fs.FileInfo) error {
	b := &budget{left: min(w.limits.Total, max(maxRatio*st.Size(), minTotal))}
	return w.stream(Entry{Path: label, Time: st.ModTime(), Size: st.Size(), Text: f}, f, b, 0)
}

// An archive may unpack to so many times its size, and to so much in any case:
// texts shrink to a tenth.
const (
	maxRatio = 200
	minTotal = 64 << 20
)
