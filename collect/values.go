package collect

import (
	"context"
	"sync"
	"time"

	"seaworthy/dialect/registry"
	"seaworthy/inventory"
	"seaworthy/remote"
)

// Values reads hosts again and again for a change: the attributes of devices
// and their states, and the tunables, as Read gives them, without counters,
// defaults, ranges and what else no change is checked by. It asks once what a
// host is, and puts many commands into one session. It is safe for concurrent
// use.
type Values struct {
	Platforms map[string]inventory.Platform // by host: what it is if it cannot be found out

	mu     sync.Mutex
	logins map[string]login
}

// Read reads one host. One that broke off gives an error and no inventory.
func (v *Values) Read(ctx context.Context, h remote.Host) (*inventory.Host, error) {
	l, err := v.login(ctx, h)
	if err != nil {
		return nil, err
	}
	s := newMemory(h.Name())
	r := newRunner(h, l, s, Options{}, nil)
	r.values = true
	r.read(ctx)
	if err := r.close(ctx); err != nil {
		return nil, err
	}
	return Inventory(&Snapshot{Manifest: *r.m, memory: s.memory})
}

func (v *Values) login(ctx context.Context, h remote.Host) (login, error) {
	v.mu.Lock()
	l, known := v.logins[h.Name()]
	v.mu.Unlock()
	if known {
		return l, nil
	}
	l, err := detect(ctx, h, v.Platforms[h.Name()])
	if err == nil && l.platform != inventory.Unknown {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.logins == nil {
			v.logins = map[string]login{}
		}
		v.logins[h.Name()] = l
	}
	return l, err
}

// needed reports whether an item has settings of the network; sys0 has none.
func needed(it Item) bool {
	e := registry.Find(it.ID)
	return e != nil && e.Settings && it.Element != "sys0"
}

// runValues is run for the items that give settings. Those that one session did
// not answer, or could not be asked together, are asked one by one.
func (r *runner) runValues(ctx context.Context, items []Item) []output {
	out := make([]output, len(items))
	recs := make([]*Record, len(items))
	var ask []int
	for i, it := range items {
		if needed(it) {
			ask = append(ask, i)
		}
	}
	groups := r.groups(items, ask)
	r.each(len(groups), func(n int) {
		answered := r.batch(ctx, items, groups[n])
		for _, i := range groups[n] {
			rec, o := Record{}, output{}
			if res := answered[i]; res != nil {
				rec, o = r.filed(items[i], res)
			} else {
				rec, o = r.one(ctx, items[i])
			}
			recs[i], out[i] = &rec, o
		}
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rec := range recs {
		if rec != nil {
			r.m.Commands = append(r.m.Commands, *rec)
		}
	}
	return out
}

// filed keeps one answer out of a session of many.
func (r *runner) filed(it Item, res *remote.Result) (Record, output) {
	rec := Record{ID: it.ID, Element: it.Element, Attribute: it.Attribute, Line: it.Line, Start: time.Now().UTC(), Exit: -1}
	_, rec.Via = r.login.line(it)
	return r.file(it, rec, res, nil)
}

// batch asks several items in one session and gives the answers that came to
// their end, by place.
func (r *runner) batch(ctx context.Context, items []Item, group []int) map[int]*remote.Result {
	if len(group) < 2 || r.stopped(ctx) != nil {
		return nil
	}
	var of []Item
	for _, i := range group {
		of = append(of, items[i])
	}
	b := newBatch(of)
	sent, _ := r.login.line(Item{Line: b.line(), Root: true})
	// What went wrong shows in the answers that are missing.
	res, _ := r.h.Run(ctx, remote.Command{Line: sent, Limit: b.limit(), MaxOutput: r.opts.MaxOutput})
	if res == nil {
		return nil
	}
	out := map[int]*remote.Result{}
	for n, one := range b.answers(res) {
		out[group[n]] = one
	}
	return out
}
