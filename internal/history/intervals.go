package history

import (
	"context"
	"time"

	"seaworthy/internal/inventory/model"
)

// Interval is a fact or a finding over consecutive snapshots that say the same of it.
type Interval struct {
	model.Ref
	Zone      string // of a fleet, of the first of the snapshots; empty: none
	Attribute string // of a finding: its rule
	Layer     Layer
	State     string    // known, unread: the snapshots do not show it, gone: they show that it is not there
	Value     *string   // of a finding: its verdict; nil: not known
	From      time.Time // the first of the snapshots
	To        time.Time // the first snapshot that says something else; zero: none
}

var stateNames = [...]string{known: "known", unread: "unread", gone: "gone"}

// EachInterval visits the facts, or the findings, that held at a time or later, in the order of
// their beginning. visit must not use the store. Memory does not grow with their number.
func (s *Store) EachInterval(ctx context.Context, findings bool, since time.Time, visit func(Interval) error) error {
	which := " WHERE f.ended > ? AND f.layer <> 3 ORDER BY f.began, f.host"
	if findings {
		which = " WHERE f.ended > ? AND f.layer = 3 ORDER BY f.began, f.host"
	}
	rows, err := s.query(ctx, s.db, `SELECT f.host, h.name, e.text, a.text, f.layer, f.began, f.ended, f.state, coalesce(v.text, ''),
			coalesce(w.zone, '')
		FROM fact f JOIN host h ON h.id = f.host JOIN text e ON e.id = f.element JOIN text a ON a.id = f.attribute
		LEFT JOIN text v ON v.id = f.value LEFT JOIN snapshot y ON y.host = f.host AND y.taken = f.began
		LEFT JOIN sweep w ON w.id = y.sweep`+which, stamp(since))
	var r row
	var zone string
	err = each(rows, err, func() error {
		err := rows.Scan(&r.host, &r.Host, &r.Element, &r.attribute, &r.layer, &r.began, &r.ended, &r.state, &r.value, &zone)
		if err != nil {
			return err
		}
		out := Interval{Ref: r.Ref, Zone: zone, Attribute: r.attribute, Layer: r.layer, State: stateNames[r.state], From: moment(r.began)}
		if r.ended != never {
			out.To = moment(r.ended)
		}
		if r.state == known {
			value := r.value
			out.Value = &value
		}
		return visit(out)
	})
	return s.explain(err)
}

// Visit is a try to read a host.
type Visit struct {
	Past
	Zone    string // of a fleet; empty: none
	Reached bool   // Past can be restored then, unless it was pruned
	Problem string // why it was not reached, or not read to its end; empty: it was
	Pruned  bool   // its raw text was removed
}

// visitsAtOnce is how many are read before they are visited.
const visitsAtOnce = 1000

// EachVisit visits the snapshots since a time, and when hosts were not reached, in the order of time.
// visit may use the store.
func (s *Store) EachVisit(ctx context.Context, since time.Time, visit func(Visit) error) error {
	at, host := stamp(since)-1, int64(0)
	for {
		var some []Visit
		rows, err := s.query(ctx, s.db, `SELECT x.at, x.host, h.name, x.reached, x.problem, x.document, coalesce(w.zone, '') FROM (
			SELECT taken AS at, host, sweep, 1 AS reached, problem, coalesce(document, 0) AS document
				FROM snapshot
				WHERE taken > ? OR (taken = ? AND host > ?)
			UNION ALL SELECT at, host, sweep, 0, why, 0 FROM miss WHERE (at > ? OR (at = ? AND host > ?))
				AND NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.host = miss.host AND s.taken = miss.at)
			) x JOIN host h ON h.id = x.host LEFT JOIN sweep w ON w.id = x.sweep
			ORDER BY x.at, x.host LIMIT ?`, at, at, host, at, at, host, visitsAtOnce)
		err = each(rows, err, func() error {
			var v Visit
			var reached int
			err := rows.Scan(&at, &host, &v.Host, &reached, &v.Problem, &v.document, &v.Zone)
			v.Taken, v.Reached = moment(at), reached == 1
			v.Pruned = v.Reached && v.document == 0
			some = append(some, v)
			return err
		})
		if err != nil {
			return s.explain(err)
		}
		for _, v := range some {
			err = visit(v)
			if err != nil {
				return err
			}
		}
		if len(some) < visitsAtOnce {
			return nil
		}
	}
}
