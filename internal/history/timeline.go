package history

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// state says what is known of a fact over an interval.
type state uint8

const (
	known  state = iota
	unread       // the snapshots do not show it
	gone         // the snapshots show that it is not there
)

// never ends an interval that holds on.
const never = math.MaxInt64

// key names a fact of a host by the numbers of its texts.
type key struct {
	element, attribute int64
	layer              Layer
}

// interval is a fact over consecutive snapshots that say the same of it. Times are
// nanoseconds since 1970.
type interval struct {
	key
	listing int64 // of its absence: see Listings
	began   int64 // the first of these snapshots
	ended   int64 // the first snapshot that says something else; never: none
	state   state
	value   int64 // number of the text; 0: not known
}

// fact is a value in one snapshot.
type fact struct {
	value   int64
	listing int64
}

// sighting is a snapshot of a host as the timeline sees it.
type sighting struct {
	at    int64
	lists int64 // the listings that it holds whole
	facts map[key]fact
}

// says gives what a snapshot says of a fact, by the listing that the fact belongs to.
func (s sighting) says(k key, listing int64) (state, int64) {
	f, there := s.facts[k]
	switch {
	case there:
		return known, f.value
	case listing != 0 && s.lists&listing != 0:
		return gone, 0
	}
	return unread, 0
}

// timeline makes the intervals of all facts of a host from all of its snapshots, in any
// order. Each fact has intervals from the host's first snapshot on.
func timeline(all []sighting) []interval {
	all = slices.SortedFunc(slices.Values(all), func(a, b sighting) int { return cmp.Compare(a.at, b.at) })
	listings := map[key]int64{}
	for _, s := range all {
		for k, f := range s.facts {
			listings[k] = f.listing
		}
	}
	var out []interval
	for _, k := range slices.SortedFunc(maps.Keys(listings), compareKeys) {
		var last *interval
		for _, s := range all {
			st, value := s.says(k, listings[k])
			if last != nil && last.state == st && last.value == value {
				continue
			}
			if last != nil {
				last.ended = s.at
			}
			out = append(out, interval{key: k, listing: listings[k], began: s.at, ended: never, state: st, value: value})
			last = &out[len(out)-1]
		}
	}
	return out
}

func compareKeys(a, b key) int {
	return cmp.Or(cmp.Compare(a.element, b.element), cmp.Compare(a.attribute, b.attribute), cmp.Compare(a.layer, b.layer))
}

// extend adds a snapshot that is later than all of a host. Earlier are the snapshots
// before without their facts, in the order of time; open are the intervals that hold on.
// It returns those of them that end, and those that begin; a fact that was never seen
// before gets the intervals of the earlier snapshots, too.
func extend(open map[key]interval, earlier []sighting, s sighting) (ended, begun []interval) {
	for k, was := range open {
		st, value := s.says(k, was.listing)
		if st == was.state && value == was.value {
			continue
		}
		was.ended = s.at
		ended = append(ended, was)
		begun = append(begun, interval{key: k, listing: was.listing, began: s.at, ended: never, state: st, value: value})
	}
	for k, f := range s.facts {
		if _, there := open[k]; there {
			continue
		}
		if len(earlier) == 0 {
			begun = append(begun, interval{key: k, listing: f.listing, began: s.at, ended: never, value: f.value})
			continue
		}
		var before []sighting
		for _, e := range earlier {
			before = append(before, sighting{at: e.at, lists: e.lists})
		}
		before = append(before, sighting{at: s.at, lists: s.lists, facts: map[key]fact{k: f}})
		begun = append(begun, timeline(before)...)
	}
	// In the order of the table's key: neighbours are written one after the other.
	slices.SortFunc(begun, func(a, b interval) int { return cmp.Or(compareKeys(a.key, b.key), cmp.Compare(a.began, b.began)) })
	return ended, begun
}

// expand gives back the facts of the snapshots that intervals were made from. The
// snapshots come without facts.
func expand(all []interval, snapshots []sighting) []sighting {
	out := make([]sighting, len(snapshots))
	for i, s := range snapshots {
		out[i] = sighting{at: s.at, lists: s.lists, facts: map[key]fact{}}
	}
	for _, v := range all {
		if v.state != known {
			continue
		}
		for _, s := range out {
			if v.began <= s.at && s.at < v.ended {
				s.facts[v.key] = fact{v.value, v.listing}
			}
		}
	}
	return out
}
