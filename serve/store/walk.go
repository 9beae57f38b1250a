package store

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"seaworthy/safefile"
)

// Files that tell a folder apart, and bounds of a walk.
const (
	manifest   = "manifest.json"
	paths      = "paths.json" // what collect proved, beside snapshots
	mostFiles  = 1_000_000
	mostLevels = 6
)

// walked is what a walk over the folders saw.
type walked struct {
	stamp   uint64   // of names, sizes and times of all that is read
	results []string // .json files outside of snapshots
}

// walk looks at the folders without reading a file.
func walk(ctx context.Context, dirs []string) (walked, error) {
	var w walked
	sum, seen := fnv.New64a(), 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case err != nil && path == dir:
				return err
			case err != nil: // what cannot be looked into is reported when it is read
				return nil
			}
			if seen++; seen > mostFiles {
				return fmt.Errorf("more than %d files: name the folders that hold snapshots and results", mostFiles)
			}
			mark := func(info fs.FileInfo) { fmt.Fprintln(sum, path, info.Size(), info.ModTime().UnixNano()) }
			if d.IsDir() {
				if info, err := os.Lstat(filepath.Join(path, manifest)); err == nil {
					mark(info)
					return fs.SkipDir // a snapshot: its outputs do not change
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
			return w, fmt.Errorf("%s: %w", dir, safefile.Cause(err))
		}
	}
	w.stamp = cmp.Or(sum.Sum64(), 1)
	return w, nil
}
