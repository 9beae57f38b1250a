package collect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/parse"
)

const (
	maxManifest = 16 << 20
	maxRecords  = 50_000
	maxHosts    = 100_000
)

// Open reads the manifests below a folder that collect wrote, or of one host's
// own folder. Snapshots are in the order of host names. A folder that cannot
// be read is in the error; the others are returned all the same. Of a host
// that has both, the finished snapshot is taken and not the partial one.
func Open(dir string) ([]*Snapshot, error) {
	found, err := find(dir, 1)
	if err != nil {
		return nil, err
	}
	var out []*Snapshot
	var errs []error
	for _, at := range found {
		if s, err := at.open(); err != nil {
			errs = append(errs, err)
		} else if s != nil {
			out = append(out, s)
		}
	}
	if len(out) == 0 && len(errs) == 0 {
		return nil, noHost(dir)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Manifest.Host < out[j].Manifest.Host })
	return out, errors.Join(errs...)
}

func noHost(dir string) error {
	return fmt.Errorf("snapshot %s: no host folder in it (expected HOST/%s)", dir, manifestName)
}

// candidate is a folder that may hold a snapshot.
type candidate struct {
	dir   string
	maybe bool // it may also be some other folder
}

// find lists the folders of snapshots: the folder itself, or those in it, or
// those in the folders in it, as where each day has its own.
func find(dir string, depth int) ([]candidate, error) {
	if _, err := os.Lstat(filepath.Join(dir, manifestName)); err == nil {
		return []candidate{{dir: dir}}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	if len(entries) > maxHosts {
		return nil, fmt.Errorf("snapshot %s: %d entries, more than the limit of %d", dir, len(entries), maxHosts)
	}
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	var out []candidate
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if whole, ok := strings.CutSuffix(e.Name(), partial); ok && names[whole] {
			continue
		}
		at := filepath.Join(dir, e.Name())
		if _, err := os.Lstat(filepath.Join(at, manifestName)); errors.Is(err, os.ErrNotExist) && depth > 0 {
			// What cannot be looked into is reported when it is opened.
			if more, err := find(at, depth-1); err == nil && len(out)+len(more) <= maxHosts {
				out = append(out, more...)
				continue
			}
		}
		out = append(out, candidate{at, true})
	}
	return out, nil
}

// open reads the manifest; nil: it is some other folder.
func (at candidate) open() (*Snapshot, error) {
	s, err := openOne(at.dir)
	if at.maybe && errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %w", at.dir, err)
	}
	return s, nil
}

func openOne(dir string) (*Snapshot, error) {
	text, err := readPlain(dir, manifestName, maxManifest)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Dir: dir}
	if err := decode.JSON(manifestName, text, &s.Manifest, decode.Newer); err != nil {
		return nil, err
	}
	m := &s.Manifest
	switch {
	case m.Schema != SchemaSnapshot:
		return nil, fmt.Errorf("format %q; this version reads %q", m.Schema, SchemaSnapshot)
	case m.Host == "":
		return nil, fmt.Errorf("%s names no host", manifestName)
	case len(m.Commands) > maxRecords:
		return nil, fmt.Errorf("%d commands, more than the limit of %d", len(m.Commands), maxRecords)
	}
	seen := make(map[string]bool, len(m.Commands))
	for _, c := range m.Commands {
		for _, name := range []string{c.Stdout, c.Stderr} {
			switch {
			case name == "":
				continue
			case !plainName(name):
				return nil, fmt.Errorf("%s: file name %q is outside the snapshot directory", c.Line, name)
			case seen[name]: // one large file could stand for thousands
				return nil, fmt.Errorf("%s: file %s is another command's, too", c.Line, name)
			}
			seen[name] = true
		}
	}
	return s, nil
}

// plainName reports whether a name is a file directly in the folder.
func plainName(name string) bool {
	return name != "." && filepath.IsLocal(name) && !strings.ContainsAny(name, "/\\\x00")
}

// readPlain reads a plain file of a folder: no link, nothing oversized.
func readPlain(dir, name string, limit int64) ([]byte, error) {
	path := filepath.Join(dir, name)
	st, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a plain file", name)
	case st.Size() > limit:
		return nil, fmt.Errorf("%s has %d bytes, more than the limit of %d", name, st.Size(), limit)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0) // it may have changed meanwhile
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := bytes.NewBuffer(make([]byte, 0, st.Size()+bytes.MinRead))
	_, err = b.ReadFrom(io.LimitReader(f, limit))
	return b.Bytes(), err
}

// Text reads what a command printed on stdout; no file means nothing.
func (s *Snapshot) Text(r *Record) ([]byte, error) { return s.file(r, r.Stdout) }

// Stderr reads what a command printed on stderr.
func (s *Snapshot) Stderr(r *Record) ([]byte, error) { return s.file(r, r.Stderr) }

func (s *Snapshot) file(r *Record, name string) ([]byte, error) {
	switch {
	case name == "":
		return nil, nil
	case s.memory != nil:
		return s.memory[name], nil
	case !plainName(name):
		return nil, fmt.Errorf("snapshot %s: %s: file name %q is outside the snapshot directory", s.Dir, r.Line, name)
	}
	text, err := readPlain(s.Dir, name, parse.MaxText)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %s: %w", s.Dir, r.Line, err)
	}
	return text, nil
}
