package collect

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"seaworthy/dialect/registry"
	"seaworthy/inventory"
	"seaworthy/inventory/assemble"
	"seaworthy/remote"
)

// Counters reads the counters of hosts again and again. A host is read whole
// the first time; later only the commands that print counters run anew. It is
// safe for several hosts at once.
type Counters struct {
	Options Options

	mu    sync.Mutex
	hosts map[string]*counted
}

// counted is a host that was read before.
type counted struct {
	mu      sync.Mutex
	login   login
	about   assemble.About
	outputs []assemble.Output
	items   []Item
	at      []int // index of each item's output
}

// Read gives a host's counters: element → counter → value. The host's own, of
// its protocols, are those of the element "host".
func (c *Counters) Read(ctx context.Context, h remote.Host) (map[string]map[string]uint64, error) {
	c.mu.Lock()
	if c.hosts == nil {
		c.hosts = map[string]*counted{}
	}
	one := c.hosts[h.Name()]
	if one == nil {
		one = &counted{}
		c.hosts[h.Name()] = one
	}
	c.mu.Unlock()
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.outputs == nil {
		if err := one.first(ctx, h, c.Options); err != nil {
			return nil, err
		}
	} else if err := one.again(ctx, h, c.Options); err != nil {
		return nil, err
	}
	return flat(assemble.Host(one.about, one.outputs)), nil
}

func (c *counted) first(ctx context.Context, h remote.Host, o Options) error {
	var err error
	if c.login, err = detect(ctx, h, o.Platforms[h.Name()]); err != nil {
		return err
	}
	s, err := readLive(ctx, h, o)
	if err != nil {
		return err
	}
	outputs, err := outputs(s)
	if err != nil {
		return err
	}
	c.about, c.outputs = about(s.Manifest), outputs
	for i, r := range s.Manifest.Commands {
		if counts(r.ID) && r.Exit == 0 {
			c.items = append(c.items, Item{
				ID: r.ID, Element: r.Element, Line: r.Line,
				Root: r.Via == "oem_setup_env", Refused: r.Via != "", Limit: registry.Slow,
			})
			c.at = append(c.at, i)
		}
	}
	return nil
}

// again runs what prints counters, side by side.
func (c *counted) again(ctx context.Context, h remote.Host, o Options) error {
	var group errgroup.Group
	group.SetLimit(max(o.Sessions, 4))
	h = cmp.Or(c.login.host, h)
	for i, it := range c.items {
		group.Go(func() error {
			sent, _ := c.login.line(it)
			res, err := h.Run(ctx, remote.Command{Line: sent, Limit: it.Limit, MaxOutput: o.MaxOutput})
			switch {
			case err != nil:
				return err
			case res.Exit != 0:
				return fmt.Errorf("%s: %s: exit status %d: %s", h.Name(), it.Line, res.Exit, firstLine(res.Stderr))
			}
			c.outputs[c.at[i]].Text = res.Stdout
			return nil
		})
	}
	return group.Wait()
}

func flat(h *inventory.Host) map[string]map[string]uint64 {
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
