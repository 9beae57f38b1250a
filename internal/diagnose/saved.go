package diagnose

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
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
func Load(ctx context.Context, dir string) ([]Measured, error) {
	name := filepath.Join(dir, savedName)
	text, err := decode.Read(ctx, name, maxSaved)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var s saved
	if err := decode.JSON(name, text, &s, decode.Newer); err != nil {
		return nil, err
	}
	err = decode.Format(s.Schema, SchemaPaths, "collect the hosts again")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s.Paths, nil
}

// Save proves the path MTUs and samples the loss between the clients of a fleet, up to maxPairs pairs, and
// keeps them beside their snapshots, which hold the round trips.
func (p Prober) Save(ctx context.Context, dir string) error {
	s, pairs := saved{Schema: SchemaPaths}, p.pairs()
	got := make([][]Measured, len(pairs))
	var all errgroup.Group
	all.SetLimit(maxAtOnce)
	shown := progress.Begin(ctx, "pinging", "path", len(pairs))
	defer shown.End()
	for i, path := range pairs {
		all.Go(func() error {
			got[i] = p.proveMTU(ctx, path, true)
			for k := range got[i] {
				way := *path
				way.From, way.To = got[i][k].From, got[i][k].To
				p.sample(ctx, &got[i][k], &way)
			}
			shown.Step(path.From.Host + " → " + path.To.Host)
			return nil
		})
	}
	_ = all.Wait() // what cannot be proved is left out
	s.Paths = slices.Concat(got...)
	p.unread(ctx, s.Paths)
	if len(s.Paths) == 0 {
		return nil
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return fileio.Write(filepath.Join(dir, savedName), text)
}

// unread notes for each direction what the programs of its sender leave unread in connections
// with the other end. Each host is asked once.
func (p Prober) unread(ctx context.Context, ways []Measured) {
	of, asked := map[string][]Connection{}, map[string]bool{}
	var mu sync.Mutex
	var all errgroup.Group
	all.SetLimit(maxAtOnce)
	for _, m := range ways {
		host, h := p.Hosts[m.From.Host], p.Fleet.Host(m.From.Host)
		if asked[m.From.Host] || host == nil || h == nil {
			continue
		}
		asked[h.Name] = true
		all.Go(func() error {
			got := p.watched(ctx, host, h)
			mu.Lock()
			defer mu.Unlock()
			of[h.Name] = got
			return nil
		})
	}
	_ = all.Wait() // a host that does not say is left out
	for i := range ways {
		m := &ways[i]
		path := &model.Path{}
		path.From, path.To = m.From, m.To
		for _, c := range p.along(of[m.From.Host], path) {
			most := c.RecvQ
			if m.RecvQ != nil {
				most = max(most, *m.RecvQ)
			}
			m.RecvQ, m.Connections = &most, m.Connections+1
		}
	}
}

// pairs are the paths between clients that share a network, and of the others those where a
// ping was answered when they were read.
func (p Prober) pairs() []*model.Path {
	var out []*model.Path
	g := graph.Of(p.Fleet)
	slices.SortFunc(p.Fleet.Hosts, func(a, b *model.Host) int { return model.Natural(a.Name, b.Name) })
	for i, a := range p.Fleet.Hosts {
		for _, b := range p.Fleet.Hosts[i+1:] {
			if a.Platform == model.VIOS || b.Platform == model.VIOS || len(out) == maxPairs {
				continue
			}
			path, err := g.Path(a.Name, b.Name)
			if err != nil {
				continue
			}
			from, to := a.Elements[path.From.Element], b.Elements[path.To.Element]
			_, answered := a.Figures[model.RoundTripTo(path.From.Element, b.Name)]
			if answered || sameNetwork(from, to) {
				out = append(out, path)
			}
		}
	}
	return out
}

// sameNetwork says whether two interfaces have addresses of one network.
func sameNetwork(from, to *model.Element) bool {
	return slices.ContainsFunc(from.Addrs, func(own netip.Prefix) bool {
		return slices.ContainsFunc(to.Addrs, func(other netip.Prefix) bool { return own.Masked() == other.Masked() })
	})
}

// Between gives what was measured of one path: path MTUs out of all, and round trips
// out of the snapshots of its ends.
func Between(all []Measured, fleet *model.Fleet, path *model.Path) []Measured {
	var out []Measured
	for _, way := range []Measured{{From: path.From, To: path.To}, {From: path.To, To: path.From}} {
		for _, m := range all {
			if m.From == way.From && m.To == way.To {
				way = m
			}
		}
		if h := fleet.Host(way.From.Host); h != nil {
			if f, ok := h.Figures[model.RoundTripTo(way.From.Element, way.To.Host)]; ok {
				way.RTTms = f.Value
			}
		}
		savedPings(&way, fleet)
		if way.MTU != nil || way.RTTms > 0 || way.Sent > 0 || way.RecvQ != nil {
			out = append(out, way)
		}
	}
	return out
}
