package history

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/collect"
)

// Fact is one value of an element in one snapshot.
type Fact struct {
	Element   string
	Attribute string
	Layer     Layer
	Value     string
	Listing   int64 // the list by which its absence is known; 0: none
}

// Reading is a snapshot with what it says.
type Reading struct {
	Snapshot *collect.Snapshot
	Document *Document // of the snapshot; nil: it is made
	Facts    []Fact
	Lists    int64 // what it holds whole
	Judging  Judging
}

// Added counts what became of the snapshots that were added.
type Added struct {
	New     int `json:"new"`     // snapshots
	Known   int `json:"known"`   // that the history had already
	Facts   int `json:"facts"`   // facts and findings that no snapshot of their host had before
	Changed int `json:"changed"` // facts and findings that are other ones now, or are not read any more
	Rebuilt int `json:"rebuilt"` // snapshots that were earlier than others of their host
}

// Sweep is a set of snapshots that are added together.
type Sweep struct {
	s     *Store
	id    int64
	Added Added
}

// Begin begins a sweep; source says where its snapshots come from.
func (s *Store) Begin(ctx context.Context, source string) (*Sweep, error) {
	return s.BeginIn(ctx, "", source)
}

// BeginIn begins a sweep of hosts of one zone of a fleet; an empty zone: of hosts in none.
func (s *Store) BeginIn(ctx context.Context, zone, source string) (*Sweep, error) {
	w := &Sweep{s: s}
	_, err := s.one(ctx, s.db, []any{&w.id}, "INSERT INTO sweep (added, source, zone) VALUES (?, ?, ?) RETURNING id",
		stamp(time.Now()), stored(source), stored(zone))
	return w, s.explain(err)
}

// End drops a sweep that added nothing.
func (w *Sweep) End(ctx context.Context) error {
	err := w.s.exec(ctx, w.s.db, "DELETE FROM sweep WHERE id = ? AND NOT EXISTS (SELECT 1 FROM snapshot WHERE sweep = ?) "+
		"AND NOT EXISTS (SELECT 1 FROM miss WHERE sweep = ?)", w.id, w.id, w.id)
	return w.s.explain(err)
}

// Add adds snapshots, all or none of them. One that the history has adds nothing.
func (w *Sweep) Add(ctx context.Context, readings []Reading) error {
	before := w.Added
	err := w.s.within(ctx, func(tx *transaction) error {
		for i := range readings {
			err := w.add(ctx, tx, &readings[i])
			if err != nil {
				return fmt.Errorf("snapshot of %s: %w", readings[i].Snapshot.Manifest.Host, err)
			}
		}
		return nil
	})
	if err != nil {
		w.Added = before
	}
	return err
}

// within runs work in a transaction.
func (s *Store) within(ctx context.Context, work func(tx *transaction) error) error {
	begun, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(err)
	}
	defer begun.Rollback() // nothing is left to undo once it is committed
	tx := &transaction{Tx: begun, prepared: map[string]*sql.Stmt{}}
	err = work(tx)
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		clear(s.numbers) // their rows are gone
	}
	return s.explain(err)
}

// Miss notes that a host was not reached.
func (w *Sweep) Miss(ctx context.Context, host string, at time.Time, why string) error {
	return w.s.within(ctx, func(tx *transaction) error {
		id, err := w.s.host(ctx, tx, host)
		if err != nil {
			return err
		}
		return w.s.exec(ctx, tx, "INSERT INTO miss (host, at, sweep, why) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
			id, stamp(at), w.id, stored(why))
	})
}

// host gives the number of a host, which it locks until the transaction ends.
func (s *database) host(ctx context.Context, tx *transaction, name string) (id int64, err error) {
	name = stored(name)
	err = s.exec(ctx, tx, "INSERT INTO host (name) VALUES (?) ON CONFLICT DO NOTHING", name)
	if err != nil {
		return 0, err
	}
	ask := "SELECT id FROM host WHERE name = ?"
	if s.dialect.name == postgresDialect.name {
		ask += " FOR UPDATE"
	}
	_, err = s.one(ctx, tx, []any{&id}, ask, name)
	return id, err
}

func (w *Sweep) add(ctx context.Context, tx *transaction, r *Reading) error {
	m := &r.Snapshot.Manifest
	err := plausible(m)
	if err != nil {
		return err
	}
	s, at := w.s, stamp(m.Started)
	host, err := s.host(ctx, tx, m.Host)
	if err != nil {
		return err
	}
	doc := r.Document
	if doc == nil {
		doc, err = NewDocument(r.Snapshot)
		if err != nil {
			return err
		}
	}
	there, err := s.known(ctx, tx, host, m, doc.Digest)
	if err != nil || there {
		w.Added.Known += count(there)
		return err
	}
	last, err := s.last(ctx, tx, host)
	if err != nil {
		return err
	}
	x := entry{host: host, at: at, digest: doc.Digest[:], lists: r.Lists, facts: r.digest(), problem: m.Error, document: last.document}
	if last.document == 0 || !bytes.Equal(last.digest, x.digest) {
		x.document, err = s.putDocument(ctx, tx, doc)
		if err != nil {
			return err
		}
	}
	x.judging, err = s.judging(ctx, tx, r.Judging)
	if err != nil {
		return err
	}
	if last.at == 0 || last.at > at || !bytes.Equal(last.facts, x.facts) {
		facts, err := numberFacts(ctx, s, tx, r.Facts)
		if err != nil {
			return err
		}
		err = w.extend(ctx, tx, host, sighting{at: at, lists: r.Lists, facts: facts})
		if err == nil && last.at < at {
			err = s.putOutline(ctx, tx, host, facts)
		}
		if err != nil {
			return err
		}
	}
	w.Added.New++
	return w.keep(ctx, tx, x)
}

// plausible refuses a time at which no snapshot was taken.
func plausible(m *collect.Manifest) error {
	if m.Started.Year() < 1971 || m.Started.Year() > 2200 {
		return fmt.Errorf("its %s says that it was taken at %s", collect.ManifestName, m.Started.UTC().Format(time.DateTime))
	}
	return nil
}

// known says whether the history has a snapshot; another one of the same host and time is an error.
func (s *database) known(ctx context.Context, tx *transaction, host int64, m *collect.Manifest, digest Digest) (bool, error) {
	var had []byte
	there, err := s.one(ctx, tx, []any{&had}, "SELECT digest FROM snapshot WHERE host = ? AND taken = ?", host, stamp(m.Started))
	if err == nil && there && !bytes.Equal(had, digest[:]) {
		err = fmt.Errorf("the history has another one of the same time, %s: is it a redacted copy, or of another host of that name?",
			m.Started.UTC().Format(time.DateTime))
	}
	return there, err
}

// count is 1 for what is so.
func count(so bool) int {
	if so {
		return 1
	}
	return 0
}

// numberFacts gives facts by the numbers of their texts.
func numberFacts(ctx context.Context, s *Store, tx *transaction, facts []Fact) (map[key]fact, error) {
	var all []string
	for _, f := range facts {
		all = append(all, stored(f.Element), stored(f.Attribute), stored(f.Value))
	}
	err := s.number(ctx, tx, all)
	if err != nil {
		return nil, err
	}
	out := make(map[key]fact, len(facts))
	for i, f := range facts {
		k := key{s.numbers[all[3*i]], s.numbers[all[3*i+1]], f.Layer}
		out[k] = fact{s.numbers[all[3*i+2]], f.Listing}
	}
	return out, nil
}

// extend brings the intervals of a host up to date with a snapshot.
func (w *Sweep) extend(ctx context.Context, tx *transaction, host int64, now sighting) error {
	s := w.s
	snapshots, err := s.sightings(ctx, tx, host)
	if err != nil {
		return err
	}
	if n := len(snapshots); n > 0 && snapshots[n-1].at > now.at {
		return w.rebuild(ctx, tx, host, snapshots, now)
	}
	open := map[key]interval{}
	err = s.intervals(ctx, tx, host, " AND ended = 9223372036854775807", func(v interval) { open[v.key] = v })
	if err != nil {
		return err
	}
	ended, begun := extend(open, snapshots, now)
	for _, v := range ended {
		err = s.exec(ctx, tx, "UPDATE fact SET ended = ? WHERE host = ? AND element = ? AND attribute = ? AND layer = ? AND began = ?",
			v.ended, host, v.element, v.attribute, v.layer, v.began)
		if err != nil {
			return err
		}
	}
	w.Added.Changed += len(ended)
	for k := range now.facts {
		if _, there := open[k]; !there {
			w.Added.Facts++
		}
	}
	return s.insert(ctx, tx, host, begun)
}

// rebuild makes the intervals of a host from all of its snapshots: one is earlier than
// others that are there.
func (w *Sweep) rebuild(ctx context.Context, tx *transaction, host int64, snapshots []sighting, now sighting) error {
	s := w.s
	var before []interval
	err := s.intervals(ctx, tx, host, "", func(v interval) { before = append(before, v) })
	if err != nil {
		return err
	}
	after := timeline(append(expand(before, snapshots), now))
	had := map[interval]bool{}
	keys := map[key]bool{}
	for _, v := range before {
		had[v] = true
		keys[v.key] = true
	}
	for k := range now.facts {
		if !keys[k] {
			w.Added.Facts++
		}
	}
	var added []interval
	for _, v := range after {
		if had[v] {
			delete(had, v)
			continue
		}
		added = append(added, v)
	}
	for v := range had {
		err = s.exec(ctx, tx, "DELETE FROM fact WHERE host = ? AND element = ? AND attribute = ? AND layer = ? AND began = ?",
			host, v.element, v.attribute, v.layer, v.began)
		if err != nil {
			return err
		}
	}
	w.Added.Rebuilt++
	w.Added.Changed += len(had)
	return s.insert(ctx, tx, host, added)
}

// sightings are the snapshots of a host without their facts, in the order of time.
func (s *database) sightings(ctx context.Context, q querier, host int64) (all []sighting, err error) {
	rows, err := s.query(ctx, q, "SELECT taken, lists FROM snapshot WHERE host = ? ORDER BY taken", host)
	err = each(rows, err, func() error {
		var x sighting
		err := rows.Scan(&x.at, &x.lists)
		all = append(all, x)
		return err
	})
	return all, err
}

// intervals gives those of a host to visit.
func (s *database) intervals(ctx context.Context, q querier, host int64, which string, visit func(interval)) error {
	rows, err := s.query(ctx, q, "SELECT element, attribute, layer, began, ended, state, listing, value FROM fact WHERE host = ?"+which, host)
	var v interval
	return each(rows, err, func() error {
		err := rows.Scan(&v.element, &v.attribute, &v.layer, &v.began, &v.ended, &v.state, &v.listing, &v.value)
		visit(v)
		return err
	})
}

// insert writes intervals, many with one statement.
func (s *database) insert(ctx context.Context, tx *transaction, host int64, all []interval) error {
	const row, columns = "(?,?,?,?,?,?,?,?,?)", 9
	for len(all) > 0 {
		some := all[:min(len(all), 100)]
		all = all[len(some):]
		text := s.dialect.insert + " INTO fact (host, element, attribute, layer, began, ended, state, listing, value) VALUES " + row
		args := make([]any, 0, columns*len(some))
		for i, v := range some {
			if i > 0 {
				text += "," + row
			}
			args = append(args, host, v.element, v.attribute, v.layer, v.began, v.ended, v.state, v.listing, v.value)
		}
		err := s.exec(ctx, tx, text, args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// Span is when a host was seen.
type Span struct {
	Host      string    `json:"host"`
	Zone      string    `json:"zone,omitempty"` // of a fleet, of the last try to read it; empty: none
	Snapshots int       `json:"snapshots"`
	First     time.Time `json:"first,omitzero"`
	Last      time.Time `json:"last,omitzero"`        // zero: never
	Problem   string    `json:"problem,omitempty"`    // of the last: why it was not read to its end
	Missed    time.Time `json:"not_reached,omitzero"` // after Last, the last time
	Why       string    `json:"why,omitempty"`
}

// NotSeen reports whether the host was not reached since its last snapshot.
func (h Span) NotSeen() bool { return !h.Missed.IsZero() }

// lastUpTo gives of each host its first and its last snapshot up to a time, which stands four
// times; whole: it has none after that.
const lastUpTo = `SELECT h.id, h.name, h.snapshots, h.problem, CASE WHEN h.last_taken <= ? THEN 1 ELSE 0 END AS whole,
	CASE WHEN h.first_taken > 0 AND h.first_taken <= ? THEN h.first_taken END AS first,
	CASE WHEN h.last_taken = 0 THEN NULL WHEN h.last_taken <= ? THEN h.last_taken
		ELSE (SELECT max(s.taken) FROM snapshot s WHERE s.host = h.id AND s.taken <= ?) END AS last FROM host h`

// Hosts lists the hosts as they were known at a time, by name: those that are named, or all.
func (s *Store) Hosts(ctx context.Context, at time.Time, names ...string) ([]Span, error) {
	all := []Span{}
	if len(names) == 0 {
		return readSpans(ctx, s, at, never)
	}
	for some := range slices.Chunk(names, 500) {
		spans, err := readSpans(ctx, s, at, never, some...)
		if err != nil {
			return nil, err
		}
		all = append(all, spans...)
	}
	slices.SortFunc(all, func(a, b Span) int { return strings.Compare(a.Host, b.Host) })
	return all, nil
}

// ReadNotReached gives the hosts that were not reached since their last snapshot, by name.
func ReadNotReached(ctx context.Context, s *Store) ([]string, error) {
	rows, err := s.query(ctx, s.db, `SELECT h.name FROM host h JOIN (SELECT host, max(at) AS at FROM miss GROUP BY host) l
		ON l.host = h.id WHERE l.at > h.last_taken ORDER BY h.name`)
	return s.names(rows, err)
}

// lastOf is the head of a query on x: the named hosts, or all, each with its last snapshot up to a time.
func lastOf(at time.Time, names []string) (with string, args []any) {
	when := stamp(at)
	args = []any{when, when, when, when}
	which := ""
	if len(names) > 0 {
		which, args = Window{Hosts: names}.of("h.name", args...)
		which = " WHERE " + which
	}
	return "WITH x AS MATERIALIZED (" + lastUpTo + which + ")", args
}

// readSpans are those of the hosts up to a time. Snapshots are counted of hosts that have none
// after counted: up to a time in the past counting reads them all.
func readSpans(ctx context.Context, s *Store, at time.Time, counted int64, names ...string) ([]Span, error) {
	all := []Span{}
	when := stamp(at)
	with, args := lastOf(at, names)
	rows, err := s.query(ctx, s.db, with+`
		SELECT x.name, CASE WHEN x.last > ? THEN 0 WHEN x.whole = 1 THEN x.snapshots
				ELSE (SELECT count(*) FROM snapshot c WHERE c.host = x.id AND c.taken <= ?) END,
			x.first, x.last, CASE WHEN x.whole = 1 THEN x.problem
				ELSE coalesce((SELECT p.problem FROM snapshot p WHERE p.host = x.id AND p.taken = x.last), '') END,
			coalesce(m.at, 0), coalesce(m.why, ''), coalesce(CASE WHEN m.at > coalesce(x.last, 0) THEN n.zone ELSE w.zone END, '') FROM x
		LEFT JOIN snapshot y ON y.host = x.id AND y.taken = x.last
		LEFT JOIN sweep w ON w.id = y.sweep
		LEFT JOIN (SELECT host, max(at) AS at FROM miss WHERE at <= ? GROUP BY host) l ON l.host = x.id
		LEFT JOIN miss m ON m.host = x.id AND m.at = l.at
		LEFT JOIN sweep n ON n.id = m.sweep
		WHERE x.last IS NOT NULL OR m.at IS NOT NULL ORDER BY x.name`, append(args, counted, when, when)...)
	err = each(rows, err, func() error {
		var h Span
		var first, last sql.NullInt64
		var missed int64
		err := rows.Scan(&h.Host, &h.Snapshots, &first, &last, &h.Problem, &missed, &h.Why, &h.Zone)
		if last.Valid {
			h.First, h.Last = moment(first.Int64), moment(last.Int64)
		}
		if missed > 0 && missed > last.Int64 {
			h.Missed = moment(missed)
		} else {
			h.Why = ""
		}
		all = append(all, h)
		return err
	})
	return all, s.explain(err)
}
