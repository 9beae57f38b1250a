package past

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/collect"
	"seaworthy/internal/history"
)

// judging is how the history takes a round of snapshots.
type judging struct {
	known     bool                                    // it has all of them
	again     bool                                    // each says what its host said last: they are added, and need not be read
	as        history.Judging                         // by this program, of these snapshots; zero: not known
	documents map[*collect.Snapshot]*history.Document // of those that could be read
}

// repeated adds a round in which no host says anything else than last time.
func repeated(
	ctx context.Context, store *history.Store, sweep *history.Sweep, by *Judges, round []*collect.Snapshot,
) (out judging, err error) {
	documents, whole, err := document(ctx, round)
	if err != nil {
		return out, err
	}
	out.documents = make(map[*collect.Snapshot]*history.Document, len(round))
	for i, s := range round {
		out.documents[s] = documents[i]
	}
	if !whole {
		return out, nil
	}
	manifests := make([]*collect.Manifest, len(round))
	for i, s := range round {
		manifests[i] = &s.Manifest
	}
	out.known, err = known(ctx, store, manifests, documents)
	if err != nil || out.known {
		if out.known {
			sweep.Added.Known += len(round)
		}
		return out, err
	}
	program, err := by.program()
	if err != nil { // of a program that cannot be told from others nothing is taken over
		return out, nil
	}
	out.as = history.NewJudging(program, documents)
	out.again, err = sweep.Repeat(ctx, manifests, documents, out.as)
	return out, err
}

// known says whether the history has all of some snapshots.
func known(ctx context.Context, store *history.Store, manifests []*collect.Manifest, documents []*history.Document) (bool, error) {
	for i, m := range manifests {
		there, err := store.Known(ctx, m, documents[i].Digest)
		if err != nil || !there {
			return false, err
		}
	}
	return true, nil
}

// document reads the files of snapshots, several at once; whole: each of them could be read.
// One that could not be read is nil.
func document(ctx context.Context, round []*collect.Snapshot) (out []*history.Document, whole bool, err error) {
	out = make([]*history.Document, len(round))
	errs := make([]error, len(round))
	shown := progress.Begin(ctx, "comparing with the history", "host", len(round))
	defer shown.End()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, s := range round {
		group.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			out[i], errs[i] = history.NewDocument(s)
			shown.Step("")
			return nil
		})
	}
	err = group.Wait()
	if err != nil {
		return nil, false, fmt.Errorf("interrupted: %w", err)
	}
	return out, errors.Join(errs...) == nil, nil
}

// thisProgram is the SHA-256 of the program that runs: another one may read or judge the same
// outputs in another way.
func thisProgram() (sum [sha256.Size]byte, err error) {
	file := "/proc/self/exe" // Linux: the one that runs, though a newer one may lie in its place
	_, err = os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		file, err = os.Executable()
	}
	if err != nil {
		return sum, err
	}
	f, err := os.Open(file)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return [sha256.Size]byte(h.Sum(nil)), err
}
