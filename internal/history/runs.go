package history

import (
	"context"
	"database/sql"
	"time"

	"seaworthy/internal/inventory/model"
)

// Run is a run of seaworthy that changed hosts.
type Run struct {
	ID      string
	Began   time.Time
	Ended   time.Time // zero: not yet
	Outcome string
	Changes []RunChange
}

// RunChange is an attribute that a run set.
type RunChange struct {
	model.Ref
	Attribute string
	Value     string
	At        time.Time
}

// PutRuns keeps runs; what the history has of them already is replaced.
func (s *Store) PutRuns(ctx context.Context, runs []Run) error {
	return s.within(ctx, func(tx *sql.Tx) error {
		for _, r := range runs {
			err := s.exec(ctx, tx, `INSERT INTO run (id, began, ended, outcome) VALUES (?, ?, ?, ?)
				ON CONFLICT (id) DO UPDATE SET ended = excluded.ended, outcome = excluded.outcome`,
				r.ID, stamp(r.Began), stamp(r.Ended), r.Outcome)
			if err != nil {
				return err
			}
			for _, c := range r.Changes {
				err = s.exec(ctx, tx, `INSERT INTO run_change (run, host, element, attribute, value, at) VALUES (?, ?, ?, ?, ?, ?)
					ON CONFLICT (run, host, element, attribute) DO UPDATE SET value = excluded.value, at = excluded.at`,
					r.ID, stored(c.Host), stored(c.Element), stored(c.Attribute), stored(c.Value), stamp(c.At))
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// addRuns names the runs that set the attributes of changes between the snapshots that show them.
func (s *database) addRuns(ctx context.Context, changes []Change) error {
	var n int
	_, err := s.one(ctx, s.db, []any{&n}, "SELECT count(*) FROM run_change")
	if err != nil || n == 0 {
		return err
	}
	for i := range changes {
		c := &changes[i]
		rows, err := s.query(ctx, s.db, `SELECT r.id, c.at, c.value, r.outcome FROM run_change c JOIN run r ON r.id = c.run
			WHERE c.host = ? AND c.element = ? AND c.attribute = ? AND c.at >= ? AND c.at <= ? ORDER BY c.at`,
			c.Host, c.Element, c.Attribute, stamp(c.LastSeen), stamp(c.FirstSeen))
		err = each(rows, err, func() error {
			var d Done
			var at int64
			err := rows.Scan(&d.Run, &at, &d.Value, &d.Outcome)
			d.At = moment(at)
			c.Runs = append(c.Runs, d)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
