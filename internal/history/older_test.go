package history

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// older brings a history of schema version 2 up to date: it answers as before.
func older(t *testing.T, location string) {
	ctx := t.Context()
	s := opened(t, location)
	put(t, s, reading("a", day(0), "1", "ent0 mtu 1500", "ent0 x 1", "ent0 y 1"),
		reading("b", day(0), "2", "ent0 mtu 1500", "ent0 x 1", "ent0 y 2"), reading("c", day(0), "3", "ent0 mtu 9000", "ent0 x 1", "ent0 y 3"))
	put(t, s, reading("b", day(2), "4", "ent0 mtu 9000", "ent0 x 1", "ent0 y 1"))
	ask := func(s *Store) string {
		spans, err := s.Hosts(ctx, day(3))
		if err != nil {
			t.Fatal(err)
		}
		like, err := s.Similar(ctx, "a", 2)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%+v\n%+v", spans, like)
	}
	want := ask(s)
	for _, statement := range []string{"DROP TABLE outline", "ALTER TABLE host DROP COLUMN first_taken", "ALTER TABLE host DROP COLUMN problem",
		"ALTER TABLE sweep DROP COLUMN zone", "ALTER TABLE host DROP COLUMN last_taken", "ALTER TABLE host DROP COLUMN snapshots", "DELETE FROM seaworthy_history WHERE version > 2"} {
		err := s.exec(ctx, s.db, statement)
		if err != nil {
			t.Fatal(err)
		}
	}
	_ = s.Close()
	var told []string
	s, err := Open(ctx, location, func(line string) { told = append(told, line) })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(told) != 1 || !strings.Contains(told[0], "from version 2 to") {
		t.Errorf("told %q", told)
	}
	equal(t, "answers", ask(s), want)
}

// readLate finds the change of a host that was not read for long among those of the others.
func readLate(t *testing.T, s *Store) {
	for d := range 20 {
		put(t, s, reading("a", day(d), "1", fmt.Sprint("ent0 mtu ", d)), reading("b", day(d), "2", fmt.Sprint("ent0 mtu ", d/4)))
	}
	put(t, s, reading("c", day(0), "3", "ent0 mtu 1"), reading("c", day(19), "4", "ent0 mtu 2"))
	from, to := day(3).Add(6*time.Hour), day(3).Add(7*time.Hour)
	for most, want := range map[int]struct {
		changes     []string
		more, hosts int
	}{
		9: {changes: []string{"c:ent0 mtu 1→2 01–20", "a:ent0 mtu 3→4 04–05", "b:ent0 mtu 0→1 04–05"}},
		2: {changes: []string{"a:ent0 mtu 3→4 04–05", "b:ent0 mtu 0→1 04–05"}, more: 1, hosts: 1},
		1: {changes: []string{"b:ent0 mtu 0→1 04–05"}, more: 2, hosts: 2},
	} {
		v, err := ReadVicinity(t.Context(), s, from, to, time.Hour, []string{"b"}, most)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, fmt.Sprintf("around, at most %d", most), changesIn(v.Changes), want.changes)
		if v.More != want.more || v.Hosts != want.hosts {
			t.Errorf("at most %d: left out %d of %d hosts, want %d of %d", most, v.More, v.Hosts, want.more, want.hosts)
		}
	}
}
