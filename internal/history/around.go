package history

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
)

// What changed at about a time: on hosts that are named, or on all of them.

// Around gives what changed on hosts in a time that was widened by margin on both sides, the
// latest first: changes that happened then for certain, and those that may have.
func (s *Store) Around(ctx context.Context, from, to time.Time, margin time.Duration, hosts ...string) ([]Change, error) {
	from, to = from.Add(-margin), to.Add(margin)
	var out []Change
	for some := range slices.Chunk(hosts, 500) {
		// A change shows at the first snapshot after it, which may come later.
		all, err := rowsBetween(ctx, s, stamp(from), never, some)
		if err != nil {
			return nil, err
		}
		facts(all, func(one []row) {
			for _, c := range changes(one) {
				if c.FirstSeen.After(from) && c.LastSeen.Before(to) {
					out = append(out, c)
				}
			}
		})
	}
	out = together(out)
	return out, s.explain(s.addRuns(ctx, out))
}

// Vicinity is what changed on any host at about a time.
type Vicinity struct {
	Changes []Change // the latest first
	More    int      // facts that became other ones or were not read any more on hosts that are left out
	Hosts   int      // that are left out
}

// ReadVicinity gives what Around does of all hosts: of those that are near, then of others until
// there are most changes. The rest is counted.
func ReadVicinity(
	ctx context.Context, s *Store, from, to time.Time, margin time.Duration, near []string, most int,
) (*Vicinity, error) {
	moved, err := s.moved(ctx, stamp(from.Add(-margin)), stamp(to.Add(margin)))
	if err != nil {
		return nil, s.explain(err)
	}
	isNear := map[string]bool{}
	for _, h := range near {
		isNear[h] = true
	}
	slices.SortFunc(moved, func(a, b movement) int {
		if isNear[a.host] != isNear[b.host] {
			return count(isNear[b.host]) - count(isNear[a.host])
		}
		return strings.Compare(a.host, b.host)
	})
	out := &Vicinity{}
	var hosts []string
	taken := 0
	for _, m := range moved {
		if taken >= most {
			out.More += m.facts
			out.Hosts++
			continue
		}
		taken += m.facts
		hosts = append(hosts, m.host)
	}
	out.Changes, err = s.Around(ctx, from, to, margin, hosts...)
	return out, err
}

// movement counts the facts of a host that ended in a time.
type movement struct {
	host  string
	facts int
}

// moved gives the hosts of which snapshots from a time on, up to the first ones after another
// time, show other facts than before.
func (s *database) moved(ctx context.Context, from, to int64) ([]movement, error) {
	until, late, err := s.shownBy(ctx, to)
	if err != nil {
		return nil, err
	}
	const ask = `SELECT h.name, c.n FROM (SELECT f.host, count(*) AS n FROM fact f
		WHERE f.ended > ? AND f.ended <= ? AND f.ended < 9223372036854775807
		AND (f.ended <= ? OR f.ended <= coalesce((SELECT min(p.taken) FROM snapshot p WHERE p.host = f.host AND p.taken >= ?), f.ended))`
	facts := map[string]int{}
	add := func(narrow string, args ...any) error {
		rows, err := s.query(ctx, s.db, ask+narrow+" GROUP BY f.host) c JOIN host h ON h.id = c.host", args...)
		var m movement
		return each(rows, err, func() error {
			err := rows.Scan(&m.host, &m.facts)
			facts[m.host] += m.facts
			return err
		})
	}
	err = add("", from, until, to, to)
	for some := range slices.Chunk(late, 500) {
		if err != nil {
			break
		}
		args := []any{until, int64(never), to, to}
		for _, h := range some {
			args = append(args, stored(h))
		}
		err = add(" AND f.host IN (SELECT id FROM host WHERE name IN ("+places(len(some))+"))", args...)
	}
	var out []movement
	for host, n := range facts {
		out = append(out, movement{host, n})
	}
	return out, err
}

// patience is how many snapshots for each host are looked through for the next one of all hosts.
const patience = 3

// shownBy gives a time by which hosts were read again after another one, and the hosts for which
// that took much longer than for others.
func (s *database) shownBy(ctx context.Context, after int64) (until int64, late []string, err error) {
	missing := map[int64]string{}
	rows, err := s.query(ctx, s.db, "SELECT id, name FROM host WHERE last_taken > ?", after)
	var id int64
	var name string
	err = each(rows, err, func() error {
		err := rows.Scan(&id, &name)
		missing[id] = name
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	until = after
	most := patience * len(missing)
	for len(missing) > 0 && most > 0 {
		n := 0
		rows, err = s.query(ctx, s.db, "SELECT taken, host FROM snapshot WHERE taken > ? ORDER BY taken, host LIMIT ?",
			until, max(len(missing), 1000))
		err = each(rows, err, func() error {
			err := rows.Scan(&until, &id)
			delete(missing, id)
			n++
			return err
		})
		if err != nil {
			return 0, nil, err
		}
		most -= max(n, 1)
	}
	return until, slices.Sorted(maps.Values(missing)), nil
}

// rowsBetween gives the facts of which an interval ended after a time, and no later than another.
func rowsBetween(ctx context.Context, s *Store, from, to int64, hosts []string) ([]row, error) {
	narrow, args := "", []any{from, min(to, never-1)}
	if len(hosts) > 0 {
		narrow = " AND host IN (SELECT id FROM host WHERE name IN (" + places(len(hosts)) + "))"
		for _, h := range hosts {
			args = append(args, stored(h))
		}
	}
	all, err := s.rows(ctx, series+` JOIN (SELECT DISTINCT host, element, attribute, layer FROM fact
		WHERE ended > ? AND ended <= ? AND ended < 9223372036854775807`+narrow+`) c
		ON c.host = f.host AND c.element = f.element AND c.attribute = f.attribute AND c.layer = f.layer`, args...)
	return all, s.explain(err)
}
