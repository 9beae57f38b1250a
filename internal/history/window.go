package history

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"seaworthy/internal/inventory/model"
)

// Window is a time and the hosts that are asked about. Their number is bounded by what one
// statement takes: some hundreds.
type Window struct {
	From, To time.Time
	Hosts    []string
}

// of is a condition that a column is a host of the window.
func (w Window) of(column string, args ...any) (string, []any) {
	for _, h := range w.Hosts {
		args = append(args, stored(h))
	}
	return column + " IN (" + places(len(w.Hosts)) + ")", args
}

// Taken gives the snapshots of a window, the earliest first.
func (s *Store) Taken(ctx context.Context, w Window) (all []Past, err error) {
	which, args := w.of("h.name", stamp(w.From), stamp(w.To))
	rows, err := s.query(ctx, s.db, `SELECT h.name, s.taken, coalesce(s.document, 0) FROM host h JOIN snapshot s ON s.host = h.id
		WHERE s.taken >= ? AND s.taken <= ? AND `+which+" ORDER BY s.taken, h.name", args...)
	all, err = scanPast(rows, err)
	return all, s.explain(err)
}

// Spell is a verdict that held on consecutive snapshots.
type Spell struct {
	model.Ref
	Rule  string    `json:"rule"`
	Began time.Time `json:"began"`         // the first snapshot that shows it
	Last  time.Time `json:"last,omitzero"` // the last one; zero: it holds on
}

// Spells gives when a verdict held in a window, by rule and element, the earliest first.
func (s *Store) Spells(ctx context.Context, w Window, verdict string) (out []Spell, err error) {
	which, args := w.of("h.name", verdict, stamp(w.From), stamp(w.To))
	all, err := s.rows(ctx, series+` JOIN host h ON h.id = f.host JOIN text v ON v.id = f.value
		WHERE f.layer = 3 AND f.state = 0 AND v.text = ? AND f.ended > ? AND f.began <= ? AND `+which, args...)
	for _, r := range all {
		out = append(out, Spell{Ref: r.Ref, Rule: r.attribute, Began: moment(r.began), Last: moment(r.last)})
	}
	return out, s.explain(err)
}

// Runs gives the runs that set something on hosts in a window, the earliest first.
func (s *Store) Runs(ctx context.Context, w Window) (out []Run, err error) {
	which, args := w.of("c.host", stamp(w.From), stamp(w.To))
	rows, err := s.query(ctx, s.db, `SELECT r.id, r.began, r.ended, r.outcome, c.host, c.element, c.attribute, c.value, c.at
		FROM run_change c JOIN run r ON r.id = c.run WHERE c.at >= ? AND c.at <= ? AND `+which+" ORDER BY r.began, r.id, c.at", args...)
	err = each(rows, err, func() error {
		var r Run
		var c RunChange
		var began, ended, at int64
		err := rows.Scan(&r.ID, &began, &ended, &r.Outcome, &c.Host, &c.Element, &c.Attribute, &c.Value, &at)
		r.Began, r.Ended, c.At = moment(began), moment(ended), moment(at)
		if n := len(out); n == 0 || out[n-1].ID != r.ID {
			out = append(out, r)
		}
		last := &out[len(out)-1]
		last.Changes = append(last.Changes, c)
		return err
	})
	return out, s.explain(err)
}

// Result is something that was measured.
type Result struct {
	Made    time.Time `json:"made"`
	Kind    string    `json:"kind"`    // as bench, tune
	Summary string    `json:"summary"` // in a line
	Hosts   []string  `json:"hosts"`

	Document []byte `json:"-"` // its file
}

// PutResult keeps a result with its file; false: the history has it.
func (s *Store) PutResult(ctx context.Context, r Result) (added bool, err error) {
	digest := sha256.Sum256(r.Document)
	err = s.within(ctx, func(tx *transaction) error {
		there, err := s.one(ctx, tx, []any{new(int)}, "SELECT 1 FROM result WHERE digest = ?", digest[:])
		if err != nil || there {
			return err
		}
		id, err := s.putBlob(ctx, tx, r.Document)
		if err != nil {
			return err
		}
		err = s.exec(ctx, tx, "INSERT INTO result (digest, made, kind, name, document) VALUES (?, ?, ?, ?, ?)",
			digest[:], stamp(r.Made), stored(r.Kind), stored(r.Summary), id)
		for _, h := range r.Hosts {
			if err == nil {
				err = s.exec(ctx, tx, "INSERT INTO result_host (result, host) VALUES (?, ?) ON CONFLICT DO NOTHING", digest[:], stored(h))
			}
		}
		added = err == nil
		return err
	})
	if err != nil {
		err = fmt.Errorf("result of %s: %w", r.Made.UTC().Format(time.DateTime), err)
	}
	return added && err == nil, err
}

// Results gives what was measured in a window, the earliest first; of all hosts if none is named.
func (s *Store) Results(ctx context.Context, w Window) ([]Result, error) {
	out := []Result{}
	text, args := "", []any{stamp(w.From), stamp(w.To)}
	if len(w.Hosts) > 0 {
		var which string
		which, args = w.of("host", args...)
		text = " AND r.digest IN (SELECT result FROM result_host WHERE " + which + ")"
	}
	rows, err := s.query(ctx, s.db, `SELECT r.made, r.kind, r.name, coalesce(h.host, '') FROM result r
		LEFT JOIN result_host h ON h.result = r.digest WHERE r.made >= ? AND r.made <= ?`+text+" ORDER BY r.made, r.digest, h.host", args...)
	var last Result
	err = each(rows, err, func() error {
		var r Result
		var made int64
		var host string
		err := rows.Scan(&made, &r.Kind, &r.Summary, &host)
		r.Made = moment(made)
		if r.Made != last.Made || r.Kind != last.Kind || r.Summary != last.Summary {
			last = r
			out = append(out, r)
		}
		if host != "" {
			out[len(out)-1].Hosts = append(out[len(out)-1].Hosts, host)
		}
		return err
	})
	return out, s.explain(err)
}

// Values are the values that an attribute has on the hosts as last read, sorted; at most n.
func (s *Store) Values(ctx context.Context, attribute string, n int) ([]string, error) {
	rows, err := s.query(ctx, s.db, `SELECT DISTINCT v.text FROM fact f JOIN text a ON a.id = f.attribute JOIN text v ON v.id = f.value
		WHERE a.text = ? AND f.ended = 9223372036854775807 ORDER BY v.text LIMIT ?`, attribute, n)
	return s.names(rows, err)
}

// Generation changes when something is added to the history.
func (s *Store) Generation(ctx context.Context) (string, error) {
	var sweep, runs, results int64
	_, err := s.one(ctx, s.db, []any{&sweep, &runs, &results},
		"SELECT (SELECT coalesce(max(id), 0) FROM sweep), (SELECT count(*) FROM run), (SELECT count(*) FROM result)")
	return fmt.Sprint(sweep, runs, results), s.explain(err)
}
