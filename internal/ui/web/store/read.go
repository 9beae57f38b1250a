package store

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
)

// reading is a reading of all folders under way.
type reading struct {
	mu    sync.Mutex
	phase string
	of    int
	rows  []Row
	dirs  map[string][]saved
}

// soFar returns what it has read; rows are only ever appended.
func (r *reading) soFar() *State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &State{Progress: Progress{Phase: r.phase, Done: len(r.rows), Of: r.of}, Rows: r.rows[:len(r.rows):len(r.rows)]}
}

func (r *reading) at(phase string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.phase = phase
}

// state reads and audits all folders.
func (r *reading) state(ctx context.Context, o Options, w walked) (*State, error) {
	began := time.Now()
	s := &State{Fleet: &model.Fleet{}}
	for i, dir := range w.dirs {
		got, err := r.folder(ctx, dir)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if len(got.Hosts)+len(got.HMCs) > 0 {
			s.Folders = append(s.Folders, o.Dirs[i])
		}
		s.Fleet.Hosts, s.Fleet.HMCs = append(s.Fleet.Hosts, got.Hosts...), append(s.Fleet.HMCs, got.HMCs...)
		if err != nil && !(len(got.Hosts) == 0 && len(w.results) > 0) { // a folder of results alone is none of snapshots
			s.Problems = append(s.Problems, strings.Split(err.Error(), "\n")...)
		}
	}
	paired, twice := fleet.Pair(s.Fleet)
	if twice != nil {
		s.Problems = append(s.Problems, twice.Error())
	}
	for _, f := range paired.Failed {
		s.Problems = append(s.Problems, f.Error)
	}
	s.Before = paired.Before
	s.Fleet.MergeHMC()
	slices.SortStableFunc(s.Fleet.Hosts, func(a, b *model.Host) int { return strings.Compare(a.Name, b.Name) })
	r.snapshots(s)

	r.at(Auditing)
	all, err := o.Rules.Run(ctx, s.Fleet, rule.Options{Passed: &s.Healthy, Before: s.Before})
	if err != nil {
		return nil, err
	}
	var broken []string
	s.Findings, s.Waived, broken = waiver.Apply(all, o.Waivers, time.Now())
	s.Problems = append(s.Problems, broken...)
	finding.LargestNeeds(s.Findings)
	if s.Results, s.Passed, err = results(ctx, w.results); err != nil {
		return nil, err
	}
	s.index()
	s.Progress = Progress{Phase: Ready, Done: len(s.Rows), Of: len(s.Rows), Took: time.Since(began), Read: time.Now()}
	return s, nil
}

// folder reads one folder, and keeps who was read so far.
func (r *reading) folder(ctx context.Context, dir string) (*model.Fleet, error) {
	r.mu.Lock()
	before := r.of
	r.mu.Unlock()
	return collect.EachInventory(ctx, dir, func(p collect.Progress) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.of = before + p.Of
		name, taken := filepath.Base(p.Dir), time.Time{} // of an HMC
		if p.Host != nil {
			name, taken = p.Host.Name, p.Host.Taken
			r.rows = append(r.rows, rowOf(p.Host))
		}
		r.dirs[name] = append(r.dirs[name], saved{dir, p.Dir, taken})
	})
}

// snapshots sorts the folders of snapshots, by host and by the folder they are in.
func (r *reading) snapshots(s *State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.dirs = r.dirs
	in := map[string]*Reading{}
	for _, all := range s.dirs {
		slices.SortStableFunc(all, func(a, b saved) int { return b.taken.Compare(a.taken) })
		for _, d := range all {
			if d.taken.IsZero() {
				continue
			}
			parent := filepath.Dir(d.dir)
			x := in[parent]
			if x == nil {
				x = &Reading{Dir: parent, First: d.taken, Last: d.taken}
				in[parent] = x
			}
			x.Hosts++
			if d.taken.Before(x.First) {
				x.First = d.taken
			}
			if d.taken.After(x.Last) {
				x.Last = d.taken
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(in)) {
		s.Readings = append(s.Readings, *in[dir])
	}
	slices.SortStableFunc(s.Readings, func(a, b Reading) int { return a.First.Compare(b.First) })
}

// Files that tell a folder apart, and bounds of a walk.
const (
	manifest   = "manifest.json"
	paths      = "paths.json" // what collect proved, beside snapshots
	mostFiles  = 1_000_000
	mostLevels = 6
)

// walked holds what a walk over the folders saw.
type walked struct {
	dirs    []string // the folders, with links followed
	stamp   uint64   // of names, sizes and times of all that is read
	results []string // .json files outside of snapshots
}

// walk looks at the folders without reading a file.
func walk(ctx context.Context, dirs []string) (walked, error) {
	var w walked
	sum, seen := fnv.New64a(), 0
	for _, named := range dirs {
		dir, err := filepath.EvalSymlinks(named) // each time: the link may lead elsewhere tomorrow
		if err != nil {
			return w, fmt.Errorf("%s: %w", named, fileio.Cause(err))
		}
		w.dirs = append(w.dirs, dir)
		err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case err != nil && path == dir:
				return err
			case err != nil: // what cannot be looked into is reported when it is read
				return nil
			}
			seen++
			if seen > mostFiles {
				return fmt.Errorf("more than %d files: name the folders that hold snapshots and results", mostFiles)
			}
			mark := func(info fs.FileInfo) { fmt.Fprintln(sum, path, info.Size(), info.ModTime().UnixNano()) }
			if d.IsDir() {
				if info, err := os.Lstat(filepath.Join(path, manifest)); err == nil {
					mark(info)
					markSnapshot(path, d, mark)
					return fs.SkipDir
				}
				levels := strings.Count(strings.TrimPrefix(path, dir), string(filepath.Separator))
				if path != dir && strings.HasPrefix(d.Name(), ".") || levels > mostLevels {
					return fs.SkipDir
				}
				return nil
			}
			result := filepath.Ext(path) == ".json" && d.Name() != paths
			if (result || d.Name() == journal) && d.Type().IsRegular() {
				if info, err := d.Info(); err == nil {
					mark(info)
					if result {
						w.results = append(w.results, path)
					}
				}
			}
			return nil
		})
		if err != nil {
			return w, fmt.Errorf("%s: %w", dir, fileio.Cause(err))
		}
	}
	w.stamp = cmp.Or(sum.Sum64(), 1)
	return w, nil
}

// settled is how long a snapshot's folder must have been left alone for its outputs
// not to change any more.
const settled = time.Minute

// markSnapshot marks the folder of a snapshot and, while files come into it as where
// it is being copied, each of them.
func markSnapshot(path string, d fs.DirEntry, mark func(fs.FileInfo)) {
	folder, err := d.Info()
	if err != nil {
		return // it is gone: its manifest was marked
	}
	mark(folder)
	if time.Since(folder.ModTime()) > settled {
		return
	}
	files, err := os.ReadDir(path)
	if err != nil {
		return // reading it says why
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			mark(info)
		}
	}
}
