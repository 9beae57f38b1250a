package archive

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"time"
)

// Limits bound what is read. The zero value means the defaults.
type Limits struct {
	Total   int64 // bytes unpacked from one archive; 0: 4 GiB
	Entries int   // files below one argument; 0: 100,000
	Depth   int   // archives inside archives; 0: 4
	Member  int64 // bytes of a zip inside another archive; 0: 256 MiB
}

func (l Limits) filled() Limits {
	return Limits{
		Total: cmp.Or(l.Total, 4<<30), Entries: cmp.Or(l.Entries, 100_000), Depth: cmp.Or(l.Depth, 4), Member: cmp.Or(l.Member, 256<<20),
	}
}

// Entry is one plain file.
type Entry struct {
	// Path labels the file: the argument, and what leads to the file inside
	// it, with "/" between. It is never a path to open.
	Path string
	Time time.Time // last change, as the file system or the archive has it
	Size int64     // as announced; -1 if it is not known
	Text io.Reader
}

// Problem is something that was not read, or not as its name wants it.
type Problem struct {
	File string `json:"file"`
	Why  string `json:"why"`
	Link bool   `json:"-"` // it is about a link or a device, which holds no text
}

// Visitor takes what a walk finds. An error of Entry ends the walk.
type Visitor interface {
	Entry(e Entry) error
	Problem(p Problem)
}

type walker struct {
	ctx      context.Context
	visit    Visitor
	limits   Limits
	entries  int
	absolute map[string]bool // archives whose absolute names were reported
	full     bool            // the number of entries was reached and reported
}

// problem reports what is not read; that is not an error, which would end the walk.
func (w *walker) problem(file, why string) error {
	w.visit.Problem(Problem{File: file, Why: why})
	return nil
}

// link reports what has no text of its own.
func (w *walker) link(file, why string) { w.visit.Problem(Problem{File: file, Why: why, Link: true}) }

// plain reports whether a file is a regular one; what is neither that nor a
// folder is a problem.
func (w *walker) plain(label string, mode fs.FileMode) bool {
	switch {
	case mode&fs.ModeSymlink != 0:
		w.link(label, "symbolic link; not followed")
	case !mode.IsRegular() && !mode.IsDir():
		w.link(label, "not a regular file; skipped")
	}
	return mode.IsRegular()
}

// room counts a file; false if there were too many.
func (w *walker) room(label string) bool {
	w.entries++
	if w.entries <= w.limits.Entries {
		return true
	}
	if !w.full {
		w.full = true
		_ = w.problem(label, "too many files; rest skipped")
	}
	return false
}
