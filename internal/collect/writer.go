package collect

import "fmt"

// Writer writes a snapshot folder of outputs that were not collected here:
// imported, or copied with their names replaced.
type Writer struct {
	s *store
	m Manifest
}

// NewWriter begins the snapshot of m.Host below dir, created if missing.
// The manifest's commands come with Add. A finished snapshot of the host is
// never overwritten; with replace, Close puts the new one in its place.
func NewWriter(dir string, m Manifest, replace bool) (*Writer, error) {
	s, err := newStore(dir, m.Host, replace)
	if err != nil {
		return nil, err
	}
	m.Schema, m.Commands = SchemaSnapshot, []Record{}
	return &Writer{s, m}, nil
}

// NewMemoryWriter begins a snapshot of m.Host that stays in memory.
func NewMemoryWriter(m Manifest) *Writer {
	m.Schema, m.Commands = SchemaSnapshot, []Record{}
	return &Writer{newMemory(m.Host), m}
}

// Snapshot is what was written to memory.
func (w *Writer) Snapshot() *Snapshot { return NewSnapshot(w.m, w.s.memory) }

// Add saves one command's output. The record's file names are set here.
func (w *Writer) Add(r Record, stdout, stderr []byte) error {
	if err := w.s.save(&r, stdout, stderr); err != nil {
		return err
	}
	w.m.Commands = append(w.m.Commands, r)
	return nil
}

// Close ends the snapshot and gives its folder. One whose manifest says that
// the host was not read to its end stays partial.
func (w *Writer) Close() (folder string, err error) {
	if len(w.m.Commands) > maxRecords {
		return "", fmt.Errorf("%s: %d outputs, more than the limit of %d", w.m.Host, len(w.m.Commands), maxRecords)
	}
	if err := w.s.manifest(&w.m); err != nil {
		return "", err
	}
	if w.m.Error == "" {
		if err := w.s.finish(); err != nil {
			return "", err
		}
	}
	return w.s.dir, nil
}

// Abort drops a snapshot that was begun.
func (w *Writer) Abort() { w.s.remove() }
