package history

import (
	"context"
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
	return s.within(ctx, func(tx *transaction) error {
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
	type setting struct {
		model.Ref
		attribute string
	}
	if len(changes) == 0 {
		return nil
	}
	from, to := int64(never), int64(0)
	for _, c := range changes {
		from, to = min(from, stamp(c.LastSeen)), max(to, stamp(c.FirstSeen))
	}
	rows, err := s.query(ctx, s.db, `SELECT c.host, c.element, c.attribute, r.id, c.at, c.value, r.outcome FROM run_change c
		JOIN run r ON r.id = c.run WHERE c.at >= ? AND c.at <= ? ORDER BY c.at`, from, to)
	done := map[setting][]Done{}
	err = each(rows, err, func() error {
		var d Done
		var of setting
		var at int64
		err := rows.Scan(&of.Host, &of.Element, &of.attribute, &d.Run, &at, &d.Value, &d.Outcome)
		d.At = moment(at)
		done[of] = append(done[of], d)
		return err
	})
	if err != nil || len(done) == 0 {
		return err
	}
	for i := range changes {
		c := &changes[i]
		for _, d := range done[setting{c.Ref, c.Attribute}] {
			if !d.At.Before(c.LastSeen) && !d.At.After(c.FirstSeen) {
				c.Runs = append(c.Runs, d)
			}
		}
	}
	return nil
}
