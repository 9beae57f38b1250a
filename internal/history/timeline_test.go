package history

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// store is the timeline of a host as the database keeps it.
type kept struct {
	intervals []interval
	snapshots []sighting
}

// add adds a snapshot the way the store does: to the end where it is the latest, else by
// making the whole timeline again.
func (k *kept) add(s sighting) {
	latest := !slices.ContainsFunc(k.snapshots, func(o sighting) bool { return o.at > s.at })
	if !latest {
		all := append(expand(k.intervals, k.snapshots), s)
		k.intervals = timeline(all)
	} else {
		open := map[key]interval{}
		for _, v := range k.intervals {
			if v.ended == never {
				open[v.key] = v
			}
		}
		ended, begun := extend(open, k.snapshots, s)
		for _, e := range ended {
			i := slices.IndexFunc(k.intervals, func(v interval) bool { return v.key == e.key && v.began == e.began })
			k.intervals[i] = e
		}
		k.intervals = append(k.intervals, begun...)
	}
	k.snapshots = append(k.snapshots, sighting{at: s.at, lists: s.lists})
	slices.SortFunc(k.snapshots, func(a, b sighting) int { return cmp.Compare(a.at, b.at) })
}

func sorted(all []interval) []interval {
	return slices.SortedFunc(slices.Values(all), func(a, b interval) int {
		return cmp.Or(compareKeys(a.key, b.key), cmp.Compare(a.began, b.began))
	})
}

// Snapshots may be added in any order: the intervals are those of their times.
func TestTimelineInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		all := make([]sighting, 1+random.IntN(7))
		for i := range all {
			all[i] = sighting{at: int64(10 * i), lists: random.Int64N(4), facts: map[key]fact{}}
			for k := range int64(6) {
				if random.IntN(3) > 0 {
					all[i].facts[key{element: k / 2, attribute: k, layer: Layer(k % 3)}] = fact{1 + random.Int64N(2), k % 3}
				}
			}
		}
		want := sorted(timeline(all))
		var inOrder, anyOrder kept
		for _, s := range all {
			inOrder.add(s)
		}
		for _, i := range random.Perm(len(all)) {
			anyOrder.add(all[i])
		}
		for _, got := range [][]interval{inOrder.intervals, anyOrder.intervals} {
			if !slices.Equal(sorted(got), want) {
				t.Fatalf("of %d snapshots\ngot  %+v\nwant %+v", len(all), sorted(got), want)
			}
		}
		for i, s := range expand(want, all) {
			if !maps.Equal(s.facts, all[i].facts) {
				t.Fatalf("snapshot %d: its intervals give back %v, want %v", i, s.facts, all[i].facts)
			}
		}
	}
}

// A fact that a snapshot does not show is not read: it neither holds on nor is it gone,
// unless the snapshot has the whole list that it would be on.
func TestAbsentFacts(t *testing.T) {
	attribute, element := key{element: 1, attribute: 1}, key{element: 1, attribute: 2}
	full := map[key]fact{attribute: {value: 7}, element: {value: 8, listing: 1}}
	got := timeline([]sighting{{at: 1, lists: 1, facts: full}, {at: 2}, {at: 3, lists: 1}, {at: 4, lists: 1, facts: full}})
	want := []interval{
		{key: attribute, began: 1, ended: 2, state: known, value: 7},
		{key: attribute, began: 2, ended: 4, state: unread},
		{key: attribute, began: 4, ended: never, state: known, value: 7},
		{key: element, listing: 1, began: 1, ended: 2, state: known, value: 8},
		{key: element, listing: 1, began: 2, ended: 3, state: unread},
		{key: element, listing: 1, began: 3, ended: 4, state: gone},
		{key: element, listing: 1, began: 4, ended: never, state: known, value: 8},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
