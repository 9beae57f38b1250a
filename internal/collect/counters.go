package collect

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/remote"
)

// Counters reads the counters of hosts again and again, as a Sampler of each. It is
// safe for several hosts at once.
type Counters struct {
	Options Options

	hosts sync.Map // name → *counted
}

type counted struct {
	mu      sync.Mutex
	sampler Sampler
	whole   *Reading // with the counters of the last time
}

// Read gives a host's counters: element → counter → value. The host's own, of
// its protocols, are those of the element "host".
func (c *Counters) Read(ctx context.Context, h remote.Host) (map[string]map[string]uint64, error) {
	known, _ := c.hosts.LoadOrStore(h.Name(),
		&counted{sampler: Sampler{Host: h, Options: c.Options, Limit: registry.Slow, unmeasured: true}})
	one := known.(*counted)
	one.mu.Lock()
	defer one.mu.Unlock()
	if err := one.read(ctx); err != nil {
		return nil, err
	}
	return flat(assemble.Host(one.whole.About(), one.whole.Outputs)), nil
}

func (c *counted) read(ctx context.Context) (err error) {
	if c.whole == nil {
		c.whole, err = c.sampler.Whole(ctx)
		return err
	}
	again, err := c.sampler.Again(ctx)
	if err != nil {
		return err
	}
	for _, o := range again.Outputs {
		held := c.sampler.Options.Hung.Err(again.Host, o.Command) != nil // its device has no counters any more
		if o.Exit != 0 && !held {
			return fmt.Errorf("%s: %s: %s", again.Host, o.Command, cmp.Or(o.Problem, fmt.Sprintf("exit status %d", o.Exit)))
		}
		for i := range c.whole.Outputs {
			if was := &c.whole.Outputs[i]; was.Command == o.Command && was.Element == o.Element {
				was.Text = o.Text
			}
		}
	}
	return nil
}

func flat(h *model.Host) map[string]map[string]uint64 {
	out := map[string]map[string]uint64{}
	for name, e := range h.Elements {
		if !e.Counters.IsZero() {
			out[name] = e.Counters.Map()
		}
	}
	if !h.Protocols.IsZero() {
		out["host"] = h.Protocols.Map()
	}
	return out
}

func counts(id string) bool {
	e := registry.Find(id)
	return e != nil && e.Counters
}
