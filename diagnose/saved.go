package diagnose

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"seaworthy/inventory"
)

// SchemaPaths names the format of the file that collect keeps beside the snapshots.
const SchemaPaths = "seaworthy.paths/1"

const (
	savedName = "paths.json"
	maxSaved  = 16 << 20 // bytes
	maxPairs  = 10       // pairs of clients that collect pings
	maxAtOnce = 4        // of these at a time
)

type saved struct {
	Schema string     `json:"schema"`
	Paths  []Measured `json:"paths"`
}

// Load gives what was measured between the hosts of a folder; none if collect did
// not ping.
func Load(dir string) ([]Measured, error) {
	name := filepath.Join(dir, savedName)
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && info.Size() > maxSaved {
		err = fmt.Errorf("larger than %d bytes", maxSaved)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var s saved
	if err := json.Unmarshal(text, &s); err != nil || s.Schema != SchemaPaths {
		return nil, fmt.Errorf("%s: not %s: %w", name, SchemaPaths, err)
	}
	return s.Paths, nil
}

// Save pings between the clients of a fleet, up to maxPairs pairs, and keeps what
// that showed beside their snapshots.
func (p Prober) Save(ctx context.Context, dir string) error {
	var (
		s    = saved{Schema: SchemaPaths}
		mu   sync.Mutex
		all  sync.WaitGroup
		gate = make(chan struct{}, maxAtOnce)
	)
	for _, path := range p.pairs() {
		all.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			got := p.Path(ctx, path)
			mu.Lock()
			defer mu.Unlock()
			s.Paths = append(s.Paths, got...)
		})
	}
	all.Wait()
	if len(s.Paths) == 0 {
		return nil
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, savedName), text, 0o600)
}

// pairs are the paths between clients that share a subnet.
func (p Prober) pairs() []*inventory.Path {
	var out []*inventory.Path
	slices.SortFunc(p.Fleet.Hosts, func(a, b *inventory.Host) int { return inventory.Natural(a.Name, b.Name) })
	for i, a := range p.Fleet.Hosts {
		for _, b := range p.Fleet.Hosts[i+1:] {
			if a.Platform == inventory.VIOS || b.Platform == inventory.VIOS || len(out) == maxPairs {
				continue
			}
			if path, err := p.Fleet.Between(a.Name, b.Name); err == nil {
				out = append(out, path)
			}
		}
	}
	return out
}

// Between gives what was measured of one path.
func Between(all []Measured, path *inventory.Path) []Measured {
	var out []Measured
	for _, m := range all {
		if m.From == path.From && m.To == path.To || m.From == path.To && m.To == path.From {
			out = append(out, m)
		}
	}
	return out
}
