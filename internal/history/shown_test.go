package history

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/test/draw"
)

// What is shown at a time is what At gives of each host.
func TestShown(t *testing.T) {
	random := draw.Rand(t)
	eachDatabase(t, func(t *testing.T, location func() string) {
		s := opened(t, location())
		for d := range 6 {
			for h := range 5 {
				host := fmt.Sprintf("h%d", h)
				facts := []string{"no ipforwarding " + fmt.Sprint(random.IntN(2))}
				for _, e := range []string{"en0", "ent0", "ent1"} {
					if random.IntN(4) > 0 {
						facts = append(facts, e+" element kind"+fmt.Sprint(random.IntN(2)), e+" mtu "+fmt.Sprint(random.IntN(3)))
					}
				}
				if h == 4 { // what an HMC said
					facts = nil
				}
				if random.IntN(4) > 0 || d == 0 {
					put(t, s, reading(host, day(d), fmt.Sprint(facts), facts...))
				}
			}
		}
		for d := range 7 {
			checkShown(t, s, d)
		}
	})
}

func checkShown(t *testing.T, s *Store, d int) {
	t.Helper()
	at := day(d)
	v := ShownAt(s, at)
	hosts, err := v.Hosts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for id := range hosts {
		ids = append(ids, id)
	}
	attributes := []string{"element", "mtu"}
	want, each, of := map[string]bool{}, map[string]bool{}, map[string]bool{}
	options := map[int64]bool{}
	for id, h := range hosts {
		held, err := s.At(t.Context(), h.Host, "", at)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range held {
			if f.Unread {
				continue
			}
			if slices.Contains(attributes, f.Attribute) {
				want[fmt.Sprint(h.Host, " ", f.Element, " ", f.Attribute, " ", f.Value)] = true
			} else {
				options[id] = true
			}
		}
		taken, err := s.Snapshots(t.Context(), at, h.Host)
		if err != nil || !taken[0].Taken.Equal(h.Read) {
			t.Errorf("day %d: %s was read at %s, %v; shown: %s", d, h.Host, taken[0].Taken, err, h.Read)
		}
	}
	numbers := map[int64]bool{}
	var all []Showing
	var places []Place
	for i, a := range attributes {
		err = v.Each(t.Context(), a, nil, func(x Showing) {
			x.Attribute = i
			numbers[x.Element], numbers[x.Value] = true, true
			all, places = append(all, x), append(places, x.Place)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	names, err := v.Names(t.Context(), numbers)
	if err != nil {
		t.Fatal(err)
	}
	text := func(x Showing) string {
		return fmt.Sprint(hosts[x.Host].Host, " ", names[x.Element], " ", attributes[x.Attribute], " ", names[x.Value])
	}
	for _, x := range all {
		each[text(x)] = true
	}
	err = v.Of(t.Context(), places, attributes, func(x Showing) { of[text(x)] = true })
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]map[string]bool{want, want}, []map[string]bool{each, of}); d != "" {
		t.Errorf("at %s (-At +Each, Of):\n%s", at, d)
	}
	checkShownHosts(t, v, ids, options)
	values, err := v.Values(t.Context(), "mtu")
	if err != nil {
		t.Fatal(err)
	}
	had := slices.Collect(maps.Values(values))
	for _, x := range all {
		if attributes[x.Attribute] == "mtu" && !slices.Contains(had, names[x.Value]) {
			t.Errorf("day %d: %s is not among the values %q", d, text(x), had)
		}
	}
}

// checkShownHosts compares the hosts that show options; those that never showed anything have none.
func checkShownHosts(t *testing.T, v *Shown, ids []int64, options map[int64]bool) {
	t.Helper()
	with, err := v.With(t.Context(), ids, "no", "element")
	if err != nil {
		t.Fatal(err)
	}
	// As of many hosts: by an index, and the rest one by one.
	many, err := v.With(t.Context(), slices.Concat(ids, slices.Repeat(ids, fewHosts)), "no", "element")
	if err != nil {
		t.Fatal(err)
	}
	none, err := v.With(t.Context(), ids, "en0", "element")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]map[int64]bool{options, options, {}}, []map[int64]bool{with, many, none}); d != "" {
		t.Errorf("with options, of few and of many; with those of an element (-want +got):\n%s", d)
	}
	silent, err := v.Silent(t.Context(), ids)
	if err != nil || len(silent) != 1 {
		t.Errorf("%d hosts never showed anything, %v, want 1", len(silent), err)
	}
}
