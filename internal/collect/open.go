package collect

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

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
	found, err := find(dir, dir, 1)
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
	return fmt.Errorf("snapshot %s: no host folder in it (expected HOST/%s)", dir, ManifestName)
}

// OpenBelow reads the manifest of one host's folder below a folder that a user
// named. What is not a part of the named folder is not read, whatever becomes of the
// names in it.
func OpenBelow(top, dir string) (*Snapshot, error) { return candidate{top: top, dir: dir}.open() }

// candidate is a folder that may hold a snapshot.
type candidate struct {
	top   string // as the user named it
	dir   string
	maybe bool // it may also be some other folder
}

// find lists the folders of snapshots: the folder itself, or those in it, or
// those in the folders in it, as where each day has its own.
func find(top, dir string, depth int) ([]candidate, error) {
	if _, err := os.Lstat(filepath.Join(dir, ManifestName)); err == nil {
		return []candidate{{top: top, dir: dir}}, nil
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
		if _, err := os.Lstat(filepath.Join(at, ManifestName)); errors.Is(err, os.ErrNotExist) && depth > 0 {
			// What cannot be looked into is reported when it is opened.
			if more, err := find(top, at, depth-1); err == nil && len(out)+len(more) <= maxHosts {
				out = append(out, more...)
				continue
			}
		}
		out = append(out, candidate{top, at, true})
	}
	return out, nil
}

// open reads the manifest; nil: it is some other folder.
func (at candidate) open() (*Snapshot, error) {
	s, err := openOne(at.top, at.dir)
	if at.maybe && errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %w", at.dir, err)
	}
	return s, nil
}

func openOne(top, dir string) (*Snapshot, error) {
	folder, err := openFolder(top, dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	text, err := readPlain(folder, ManifestName, maxManifest)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Dir: dir, top: top}
	s.Manifest, err = openManifest(text)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// openManifest decodes a manifest and checks what can be checked without the files.
func openManifest(text []byte) (m Manifest, err error) {
	err = decode.JSON(ManifestName, text, &m, decode.Newer)
	if err != nil {
		return m, err
	}
	switch {
	case m.Schema != SchemaSnapshot:
		return m, decode.Format(m.Schema, SchemaSnapshot, "collect the host again, or import the outputs in the folder")
	case m.Host == "":
		return m, fmt.Errorf("%s names no host", ManifestName)
	case len(m.Commands) > maxRecords:
		return m, fmt.Errorf("%d commands, more than the limit of %d", len(m.Commands), maxRecords)
	}
	seen := make(map[string]bool, len(m.Commands))
	for _, c := range m.Commands {
		for _, name := range c.files() {
			switch {
			case !plainName(name):
				return m, fmt.Errorf("%s: file name %q is outside the snapshot directory", c.Line, name)
			case seen[name]: // one large file could stand for thousands
				return m, fmt.Errorf("%s: file %s is another command's, too", c.Line, name)
			}
			seen[name] = true
		}
	}
	return m, nil
}

// files names those of a command's outputs.
func (r *Record) files() (names []string) {
	for _, name := range []string{r.Stdout, r.Stderr} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// plainName reports whether a name is a file directly in the folder.
func plainName(name string) bool {
	return name != "." && filepath.IsLocal(name) && !strings.ContainsAny(name, "/\\\x00")
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
	}
	folder, err := openFolder(s.top, s.Dir)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %s: %w", s.Dir, r.Line, err)
	}
	defer folder.Close()
	return s.fileIn(folder, r, name)
}

// fileIn reads a file of the snapshot's folder, which is open.
func (s *Snapshot) fileIn(folder *os.Root, r *Record, name string) ([]byte, error) {
	if !plainName(name) {
		return nil, fmt.Errorf("snapshot %s: %s: file name %q is outside the snapshot directory", s.Dir, r.Line, name)
	}
	text, err := readPlain(folder, name, parse.MaxText)
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %s: %w", s.Dir, r.Line, err)
	}
	return text, nil
}

// reader gives Text for many records with the folder opened once; done closes it.
func (s *Snapshot) reader() (text func(*Record) ([]byte, error), done func(), err error) {
	if s.memory != nil {
		return s.Text, func() {}, nil
	}
	folder, err := openFolder(s.top, s.Dir)
	if err != nil {
		return nil, nil, fmt.Errorf("snapshot %s: %w", s.Dir, err)
	}
	return func(r *Record) ([]byte, error) {
		if r.Stdout == "" {
			return nil, nil
		}
		return s.fileIn(folder, r, r.Stdout)
	}, func() { _ = folder.Close() }, nil // it was only read
}
