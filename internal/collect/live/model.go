package live

import (
	"slices"
	"time"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// Model holds what is known of the hosts now. It is not safe for concurrent use.
type Model struct {
	hosts []*host
	named map[string]*host
	at    time.Time
}

// NewModel has hosts that are to be read, in the order they are shown in where
// they are of one system. More may come with their readings.
func NewModel(names ...string) *Model {
	m := &Model{named: map[string]*host{}}
	for _, n := range names {
		m.host(n)
	}
	return m
}

func (m *Model) host(name string) *host {
	if h := m.named[name]; h != nil {
		return h
	}
	h := &host{name: name, peaks: map[string]Rates{}}
	m.named[name] = h
	m.hosts = append(m.hosts, h)
	return h
}

// Add takes news of a host.
func (m *Model) Add(e Event) {
	h := m.host(e.Host())
	if at := e.At(); at.After(m.at) {
		m.at = at
	}
	if e.Lost != nil {
		h.lose(new(*e.Lost))
		return
	}
	h.read(e.Reading)
}

// Read says how many hosts gave rates, and how many are away for good or for
// now.
func (m *Model) Read() (rates, away int) {
	for _, h := range m.hosts {
		switch {
		case h.lost != nil:
			away++
		case h.seconds > 0:
			rates++
		}
	}
	return rates, away
}

// Frame is the tree now.
func (m *Model) Frame() *Frame {
	f := &Frame{Schema: SchemaFrame, At: m.at, Systems: []*System{}}
	fleet := &model.Fleet{}
	for _, h := range m.hosts {
		if h.inv != nil {
			fleet.Hosts = append(fleet.Hosts, h.inv)
		}
	}
	g := &frameBuilder{graph: graph.Of(fleet), via: map[model.Ref][]string{}, trees: map[string]graph.HostTree{}}
	for _, t := range g.graph.Trees().Hosts {
		g.trees[t.Host] = t
		for _, b := range t.Elements {
			g.clients(t.Host, b, nil)
		}
	}
	systems := map[string]*System{}
	for _, h := range m.hosts {
		x := g.host(h)
		name := ""
		if h.inv != nil {
			name = h.inv.MachineID
		}
		s := systems[name]
		if s == nil {
			s = &System{Name: name}
			systems[name], f.Systems = s, append(f.Systems, s)
		}
		s.Hosts = append(s.Hosts, x)
	}
	slices.SortStableFunc(f.Systems, func(a, b *System) int {
		switch {
		case a.Name == "":
			return 1
		case b.Name == "":
			return -1
		}
		return model.Natural(a.Name, b.Name)
	})
	return f
}
