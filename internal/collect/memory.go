package collect

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/remote"
)

// maxMemory bounds what is kept of one host that is read without a folder:
// well beyond the largest systems, and far from harm.
const maxMemory = 256 << 20

// newMemory is a store that is gone with the process: reading a host leaves
// nothing on disk, whatever ends the process, and needs no room there.
func newMemory(host string) *store {
	s := &store{host: host, used: map[string]bool{ManifestName: true}, memory: map[string][]byte{}}
	var mu sync.Mutex
	left := int64(maxMemory)
	s.write = func(path string, data []byte) error {
		mu.Lock()
		defer mu.Unlock()
		left -= int64(len(data))
		if left < 0 {
			return fmt.Errorf("the host printed more than %d MB in all", maxMemory>>20)
		}
		s.memory[filepath.Base(path)] = data
		return nil
	}
	return s
}

func inMemory(h remote.Host) (*store, error) { return newMemory(h.Name()), nil }

// Live holds what one host said, kept in memory alone.
type Live struct {
	Outcome
	Snapshot *Snapshot // nil if nothing was collected
}

// ReadFleet reads several hosts at once, as Fleet does, and keeps what they
// say in memory.
func ReadFleet(ctx context.Context, hosts []remote.Host, o Options, progress func(Event)) []Live {
	var out []Live
	for _, read := range readAll(ctx, hosts, o, progress, inMemory) {
		l := Live{Outcome: read}
		if read.Manifest != nil {
			l.Snapshot = &Snapshot{Manifest: *read.Manifest, memory: read.memory}
		}
		out = append(out, l)
	}
	return out
}

// Read reads one host through a snapshot that is not kept. A host that broke
// off gives an error and no inventory.
func Read(ctx context.Context, h remote.Host, o Options) (*model.Host, error) {
	l := ReadFleet(ctx, []remote.Host{h}, o, nil)[0]
	if l.Err != nil {
		return nil, l.Err
	}
	return Inventory(l.Snapshot)
}

// Assemble makes the typed model of the hosts that were read. A host that
// broke off is in it as far as it came; one that cannot be modelled is in the
// error.
func Assemble(hosts []Live) (*model.Fleet, error) {
	var all []read
	for _, l := range hosts {
		if l.Snapshot != nil {
			all = append(all, modelled(l.Snapshot))
		}
	}
	return fleet(all)
}

// NewSnapshot is a snapshot that has no folder: files are its outputs by the names in the manifest.
func NewSnapshot(m Manifest, files map[string][]byte) *Snapshot {
	return &Snapshot{Manifest: m, memory: files}
}

// Files are the files of a snapshot's folder by their names, the manifest among them.
func (s *Snapshot) Files() (map[string][]byte, error) {
	text, err := json.Marshal(s.Manifest)
	if err != nil {
		return nil, fmt.Errorf("%s: manifest: %w", s.Manifest.Host, err)
	}
	files := map[string][]byte{ManifestName: text}
	for i := range s.Manifest.Commands {
		r := &s.Manifest.Commands[i]
		for _, name := range r.files() {
			files[name], err = s.file(r, name)
			if err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// OpenSnapshot is a snapshot of files by their names, with the checks of Open: they may be
// somebody else's. A file that the manifest names and that is missing or too long is an error.
func OpenSnapshot(files map[string][]byte) (*Snapshot, error) {
	text, there := files[ManifestName]
	switch {
	case !there:
		return nil, fmt.Errorf("snapshot: no %s", ManifestName)
	case len(text) > maxManifest:
		return nil, fmt.Errorf("snapshot: %s has %d bytes, more than the limit of %d", ManifestName, len(text), maxManifest)
	}
	m, err := openManifest(text)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	for _, c := range m.Commands {
		for _, name := range c.files() {
			text, there := files[name]
			switch {
			case !there:
				return nil, fmt.Errorf("snapshot: %s: file %s is missing", c.Line, name)
			case len(text) > parse.MaxText:
				return nil, fmt.Errorf("snapshot: %s: file %s has %d bytes, more than the limit of %d", c.Line, name, len(text), parse.MaxText)
			}
		}
	}
	return NewSnapshot(m, files), nil
}

// Model makes the typed model of what a snapshot holds: a host, or what an HMC said.
func (s *Snapshot) Model() (*model.Host, *model.HMC, error) {
	r := modelled(s)
	return r.host, r.hmc, r.err
}
