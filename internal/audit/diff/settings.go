package diff

import (
	"slices"

	"seaworthy/internal/inventory/model"
)

// Configured is a fleet without what was measured or counted: what is left of two readings of one
// configuration is the same, and so are the findings that rest on it.
func Configured(f *model.Fleet) *model.Fleet {
	if f == nil {
		return nil
	}
	out := &model.Fleet{HMCs: f.HMCs}
	for _, h := range f.Hosts {
		c := *h
		c.Protocols = model.Counters{}
		c.Figures, c.Pings = nil, nil
		c.ErrorLog, c.Unmet, c.Learnt = nil, nil, nil
		c.Elements = map[string]*model.Element{}
		for name, e := range h.Elements {
			if e == nil {
				continue
			}
			bare := *e
			bare.Counters, bare.CountedS = model.Counters{}, nil
			bare.Buffers, bare.Clients = nil, nil
			c.Elements[name] = &bare
		}
		out.Hosts = append(out.Hosts, &c)
	}
	return out
}

// OnlySettings drops what is a state rather than a setting: links, which SEA is active, counters.
func (d *Diff) OnlySettings() {
	d.Failovers, d.Counters = []Failover{}, []Counter{}
	d.Changes = slices.DeleteFunc(d.Changes, func(c Change) bool { return c.Kind == Link || c.Kind == Active })
}
