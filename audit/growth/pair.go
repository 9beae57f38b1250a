package growth

import (
	"slices"

	"seaworthy/inventory"
)

// Paired are the snapshots of hosts that were read several times.
type Paired struct {
	Newest []*inventory.Host // one of each host, in the order given
	Before []*inventory.Host // of those that were there more than once: the one before
	Older  map[string]int    // host → how many of its snapshots are earlier than both
	Twice  []string          // hosts whose newest two are of the same time
	Others []Other
}

// Other is a snapshot of another host with the same name, and how that shows.
type Other struct {
	Host *inventory.Host
	Why  string
}

// Pair keeps the newest snapshot of every host, and of those that were there
// more than once the one before it. Snapshots whose time is not known are taken
// to be given in the order of time. Another host of the same name is not an
// earlier state of it.
func Pair(hosts []*inventory.Host) Paired {
	byName := map[string][]*inventory.Host{}
	for _, h := range hosts {
		byName[h.Name] = append(byName[h.Name], h)
	}
	if len(byName) == len(hosts) {
		return Paired{Newest: hosts}
	}
	p := Paired{Older: map[string]int{}}
	for _, h := range hosts {
		all, ok := byName[h.Name]
		if !ok {
			continue // done with its first
		}
		delete(byName, h.Name)
		if !slices.ContainsFunc(all, func(h *inventory.Host) bool { return h.Taken.IsZero() }) {
			slices.SortStableFunc(all, func(a, b *inventory.Host) int { return a.Taken.Compare(b.Taken) })
		}
		newest := all[len(all)-1]
		all = slices.DeleteFunc(all, func(h *inventory.Host) bool {
			why := newest.Another(h)
			if why != "" {
				p.Others = append(p.Others, Other{h, why})
			}
			return why != ""
		})
		last := len(all) - 1
		p.Newest = append(p.Newest, newest)
		if last == 0 {
			continue
		}
		if t := newest.Taken; !t.IsZero() && t.Equal(all[last-1].Taken) {
			p.Twice = append(p.Twice, h.Name)
		}
		p.Before = append(p.Before, all[last-1])
		if last > 1 {
			p.Older[h.Name] = last - 1
		}
	}
	return p
}
