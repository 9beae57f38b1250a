package collect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"seaworthy/dialect"
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
	found, err := find(dir)
	if err != nil {
		return nil, err
	}
	var out []*Snapshot
	var errs []error
	for _, at := range found {
		s, err := openOne(at.dir)
		switch {
		case at.maybe && errors.Is(err, os.ErrNotExist): // some other folder
		case err != nil:
			errs = append(errs, err)
		default:
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
func find(dir string) ([]candidate, error) { return findWithin(dir, 1) }

func findWithin(dir string, depth int) ([]candidate, error) {
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
			if more, err := findWithin(at, depth-1); err == nil && len(out)+len(more) <= maxHosts {
				out = append(out, more...)
				continue
			}
		}
		out = append(out, candidate{at, true})
	}
	return out, nil
}

func openOne(dir string) (*Snapshot, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	defer root.Close()
	text, err := readPlain(root, manifestName, maxManifest)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %w", dir, err)
	}
	s := &Snapshot{Dir: dir}
	if err := json.Unmarshal(text, &s.Manifest); err != nil {
		return nil, fmt.Errorf("snapshot %s: %s: %w", dir, manifestName, err)
	}
	m := &s.Manifest
	switch {
	case m.Schema != SchemaSnapshot:
		return nil, fmt.Errorf("snapshot %s: format %q; this version reads %q", dir, m.Schema, SchemaSnapshot)
	case m.Host == "":
		return nil, fmt.Errorf("snapshot %s: %s names no host", dir, manifestName)
	case len(m.Commands) > maxRecords:
		return nil, fmt.Errorf("snapshot %s: %d commands, more than the limit of %d", dir, len(m.Commands), maxRecords)
	}
	for _, c := range m.Commands {
		for _, name := range []string{c.Stdout, c.Stderr} {
			if name != "" && !plainName(name) {
				return nil, fmt.Errorf("snapshot %s: %s: file name %q is outside the snapshot directory", dir, c.Line, name)
			}
		}
	}
	return s, nil
}

// plainName reports whether a name is a file directly in the folder.
func plainName(name string) bool {
	return name != "." && filepath.IsLocal(name) && !strings.ContainsAny(name, "/\\\x00")
}

// readPlain reads a plain file of a folder: no link, nothing oversized.
func readPlain(root *os.Root, name string, limit int64) ([]byte, error) {
	st, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a plain file", name)
	}
	if st.Size() > limit {
		return nil, fmt.Errorf("%s has %d bytes, more than the limit of %d", name, st.Size(), limit)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// One byte more than there should be: the read that fills it also shows
	// whether the file grew.
	text := make([]byte, st.Size()+1)
	n, err := io.ReadFull(f, text)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return text[:n], nil
	case err != nil:
		return nil, err
	}
	rest, err := io.ReadAll(io.LimitReader(f, limit-int64(n)))
	return append(text, rest...), err
}

// Text reads what a command printed on stdout; no file means nothing.
func (s *Snapshot) Text(r *Record) ([]byte, error) { return s.file(r, r.Stdout) }

// Stderr reads what a command printed on stderr.
func (s *Snapshot) Stderr(r *Record) ([]byte, error) { return s.file(r, r.Stderr) }

func (s *Snapshot) file(r *Record, name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	f, err := s.files()
	if err != nil {
		return nil, err
	}
	defer f.close()
	return f.read(r, name)
}

// files reads files of a snapshot, whose folder is open meanwhile.
type files struct {
	snapshot *Snapshot
	root     *os.Root // nil: it is in memory
}

func (s *Snapshot) files() (files, error) {
	if s.memory != nil {
		return files{snapshot: s}, nil
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return files{}, fmt.Errorf("snapshot: %w", err)
	}
	return files{s, root}, nil
}

func (f files) close() {
	if f.root != nil {
		f.root.Close()
	}
}

func (f files) read(r *Record, name string) ([]byte, error) {
	if f.root == nil {
		return f.snapshot.memory[name], nil
	}
	if !plainName(name) {
		return nil, fmt.Errorf("snapshot %s: %s: file name %q is outside the snapshot directory", f.snapshot.Dir, r.Line, name)
	}
	text, err := readPlain(f.root, name, dialect.MaxText)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %s: %w", f.snapshot.Dir, r.Line, err)
	}
	return text, nil
}

// Find gives the record of a command; the first if there are several.
func (s *Snapshot) Find(id, element string) *Record {
	for i := range s.Manifest.Commands {
		if r := &s.Manifest.Commands[i]; r.ID == id && r.Element == element {
			return r
		}
	}
	return nil
}

// Read gives the stdout of a command and its record. It is false if the
// command was not run, or its output cannot be read.
func (s *Snapshot) Read(id, element string) ([]byte, *Record, bool) {
	r := s.Find(id, element)
	if r == nil {
		return nil, nil, false
	}
	text, err := s.Text(r)
	return text, r, err == nil
}
