package history

import (
	"fmt"
	"testing"
	"time"
)

// zoned: a host is in the zone of its last try to be read, and intervals and visits in that of their snapshot.
func zoned(t *testing.T, s *Store) {
	ctx := t.Context()
	add := func(zone string, readings []Reading, missed ...string) {
		t.Helper()
		w, err := s.BeginIn(ctx, zone, "fleet")
		if err == nil {
			err = w.Add(ctx, readings)
		}
		for _, host := range missed {
			if err == nil {
				err = w.Miss(ctx, host, day(9), "no route to host")
			}
		}
		if err == nil {
			err = w.End(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put(t, s, reading("a", day(0), "1", "ent0 mtu 1500"), reading("b", day(0), "2", "ent0 mtu 1500"))
	add("dmz", []Reading{reading("a", day(1), "3", "ent0 mtu 9000")})
	add("lan", nil, "b", "c")
	spans, err := s.Hosts(ctx, day(10))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range spans {
		got = append(got, h.Host+" "+h.Zone)
	}
	equal(t, "zones of hosts", got, []string{"a dmz", "b lan", "c lan"})
	spans, err = s.Hosts(ctx, day(0))
	if err != nil || len(spans) != 2 || spans[0].Zone+spans[1].Zone != "" {
		t.Errorf("at the first day: %+v, %v", spans, err)
	}
	got = nil
	err = s.EachInterval(ctx, Intervals{}, func(v Interval) error {
		got = append(got, fmt.Sprintf("%s %s %s", v.Host, *v.Value, v.Zone))
		return nil
	})
	equal(t, "zones of facts", got, []string{"a 1500 ", "a 9000 dmz", "b 1500 "})
	if err == nil {
		got = nil
		err = s.EachVisit(ctx, time.Time{}, func(v Visit) error {
			got = append(got, fmt.Sprintf("%s %t %s", v.Host, v.Reached, v.Zone))
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "zones of visits", got, []string{"a true ", "b true ", "a true dmz", "b false lan", "c false lan"})
}
