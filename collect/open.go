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
	if _, err := os.Lstat(filepath.Join(dir, manifestName)); err == nil {
		s, err := openOne(dir)
		if err != nil {
			return nil, err
		}
		return []*Snapshot{s}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	if len(entries) > maxHosts {
		return nil, fmt.Errorf("snapshot %s: %d entries, at most %d make sense", dir, len(entries), maxHosts)
	}
	var out []*Snapshot
	var errs []error
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if whole, ok := strings.CutSuffix(e.Name(), partial); ok && names[whole] {
			continue
		}
		s, err := openOne(filepath.Join(dir, e.Name()))
		if errors.Is(err, os.ErrNotExist) {
			continue // some other folder
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out = append(out, s)
	}
	if len(out) == 0 && len(errs) == 0 {
		return nil, fmt.Errorf("snapshot %s: no host's folder in it (expected HOST/%s)", dir, manifestName)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Manifest.Host < out[j].Manifest.Host })
	return out, errors.Join(errs...)
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
		return nil, fmt.Errorf("snapshot %s: format %q, this version reads %q", dir, m.Schema, SchemaSnapshot)
	case m.Host == "":
		return nil, fmt.Errorf("snapshot %s: %s names no host", dir, manifestName)
	case len(m.Commands) > maxRecords:
		return nil, fmt.Errorf("snapshot %s: %d commands, at most %d make sense", dir, len(m.Commands), maxRecords)
	}
	for _, c := range m.Commands {
		for _, name := range []string{c.Stdout, c.Stderr} {
			if name != "" && !plainName(name) {
				return nil, fmt.Errorf("snapshot %s: %s: file name %q leads out of the snapshot", dir, c.Line, name)
			}
		}
	}
	return s, nil
}

// plainName says that a name is a file directly in the folder.
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
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that are read", name, st.Size(), limit)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// Text reads what a command printed on stdout; no file means nothing.
func (s *Snapshot) Text(r *Record) ([]byte, error) { return s.file(r, r.Stdout) }

// Stderr reads what a command printed on stderr.
func (s *Snapshot) Stderr(r *Record) ([]byte, error) { return s.file(r, r.Stderr) }

func (s *Snapshot) file(r *Record, name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	if s.memory != nil {
		return s.memory[name], nil
	}
	if !plainName(name) {
		return nil, fmt.Errorf("snapshot %s: %s: file name %q leads out of the snapshot", s.Dir, r.Line, name)
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	defer root.Close()
	text, err := readPlain(root, name, dialect.MaxText)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %s: %w", s.Dir, r.Line, err)
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
