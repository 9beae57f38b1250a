package collection

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/collect"
)

// Between two readings of hosts that are followed, and how many readings are kept: the
// newest, and one before, which shows what grows.
const (
	FollowEvery = 10 * time.Minute
	keptWhole   = 2
)

// Following reads running hosts again and again into a folder of its own, as collect does.
// It is safe for concurrent use.
type Following struct {
	Dir string // has a folder for each of the newest readings

	c     *fleet.Connection
	first chan struct{}
	end   context.CancelFunc
	over  sync.WaitGroup
	mu    sync.Mutex
	kept  []string
	why   []string // hosts that the newest reading lacks
}

// Follow begins to read the hosts of a connection until the context ends. Close removes
// the folder.
func Follow(ctx context.Context, c *fleet.Connection, every time.Duration) (*Following, error) {
	dir, err := fileio.MkdirTemp("", "seaworthy-readings-")
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(ctx)
	f := &Following{Dir: dir, c: c, first: make(chan struct{}), end: end}
	f.over.Go(func() { f.run(ctx, every) })
	return f, nil
}

// First is closed when the hosts were read once.
func (f *Following) First() <-chan struct{} { return f.first }

// Problems says which hosts the newest reading lacks, and why.
func (f *Following) Problems() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.why)
}

// Close ends the reading and removes what was read.
func (f *Following) Close() error {
	f.end()
	f.over.Wait()
	return os.RemoveAll(f.Dir)
}

func (f *Following) run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for number := 1; ; number++ {
		f.read(ctx, number)
		if number == 1 {
			close(f.first)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// read makes one reading, out of sight until it is whole, and forgets the oldest.
func (f *Following) read(ctx context.Context, number int) {
	name := fmt.Sprintf("%06d", number)
	hidden, whole := filepath.Join(f.Dir, "."+name), filepath.Join(f.Dir, name)
	outcomes, err := collect.Fleet(ctx, f.c.Hosts, hidden, collect.Options{Platforms: f.c.Platforms, Hung: f.c.Hung}, nil)
	var why []string
	for _, o := range outcomes {
		if o.Err != nil {
			why = append(why, o.Err.Error())
		}
	}
	if err == nil {
		err = os.Rename(hidden, whole)
	}
	if err != nil {
		why = append(why, err.Error())
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.why = why
	if err != nil {
		return
	}
	f.kept = append(f.kept, whole)
	for len(f.kept) > keptWhole {
		err = os.RemoveAll(f.kept[0])
		if err != nil {
			f.why = append(f.why, err.Error())
		}
		f.kept = f.kept[1:]
	}
}
