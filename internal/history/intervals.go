package history

import (
	"context"
	"fmt"
	"slices"
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

// Intervals chooses intervals.
type Intervals struct {
	Findings bool      // the findings, else the facts
	Since    time.Time // those that held then or later; zero: all
	From, To time.Time // those that began from From on and before To; zero: whenever
}

// where is the condition of a query on f, a fact.
func (i Intervals) where() (condition string, args []any) {
	condition = "f.ended > ? AND f.began >= ?"
	args = []any{stamp(i.Since), stamp(i.From)}
	if !i.To.IsZero() {
		condition += " AND f.began < ?"
		args = append(args, stamp(i.To))
	}
	if i.Findings {
		return condition + " AND f.layer = 3", args
	}
	return condition + " AND f.layer <> 3", args
}

// BeganOn gives the days, in UTC and in their order, on which intervals began.
func BeganOn(ctx context.Context, s *Store, of Intervals) (days []time.Time, err error) {
	const day = int64(24 * time.Hour)
	condition, args := of.where()
	rows, err := s.query(ctx, s.db, fmt.Sprintf("SELECT DISTINCT f.began / %d FROM fact f WHERE %s", day, condition), args...)
	var n int64
	err = each(rows, err, func() error {
		err := rows.Scan(&n)
		days = append(days, time.Unix(0, n*day).UTC())
		return err
	})
	slices.SortFunc(days, time.Time.Compare)
	return days, s.explain(err)
}

// EachInterval visits intervals, those of a host together, and of an element. visit must not use the store. Memory does not
// grow with their number.
func (s *Store) EachInterval(ctx context.Context, of Intervals, visit func(Interval) error) error {
	condition, args := of.where()
	// The order is that of the primary key: sorting by time takes longer than reading the table for each few days.
	rows, err := s.query(ctx, s.db, `SELECT f.host, h.name, e.text, a.text, f.layer, f.began, f.ended, f.state, coalesce(v.text, ''),
			coalesce(w.zone, '')
		FROM fact f JOIN host h ON h.id = f.host JOIN text e ON e.id = f.element JOIN text a ON a.id = f.attribute
		LEFT JOIN text v ON v.id = f.value LEFT JOIN snapshot y ON y.host = f.host AND y.taken = f.began
		LEFT JOIN sweep w ON w.id = y.sweep WHERE `+condition+" ORDER BY f.host, f.element, f.attribute, f.layer, f.began", args...)
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
		// Each part ends by itself, by its index: sorting all that is left for each of many pages takes hours.
		rows, err := s.query(ctx, s.db, `SELECT x.at, x.host, h.name, x.reached, x.problem, x.document, coalesce(w.zone, '') FROM (
			SELECT * FROM (SELECT taken AS at, host, sweep, 1 AS reached, problem, coalesce(document, 0) AS document
				FROM snapshot WHERE (taken, host) > (?, ?) ORDER BY taken, host LIMIT ?) AS seen
			UNION ALL SELECT * FROM (SELECT at, host, sweep, 0 AS reached, why AS problem, 0 AS document
				FROM miss WHERE (at, host) > (?, ?)
				AND NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.host = miss.host AND s.taken = miss.at) ORDER BY at, host LIMIT ?) AS missed
			) x JOIN host h ON h.id = x.host LEFT JOIN sweep w ON w.id = x.sweep
			ORDER BY x.at, x.host LIMIT ?`, at, host, visitsAtOnce, at, host, visitsAtOnce, visitsAtOnce)
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
