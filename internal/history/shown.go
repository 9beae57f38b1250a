package history

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Shown are the facts that the hosts of a history show at a time, each host by its last snapshot up to then. Hosts, elements
// and values are the numbers by which the history has them: Names gives their texts.
type Shown struct {
	s    *Store
	at   int64
	last bool // no host has a later snapshot, so no fact that has ended is shown
}

// ShownAt gives the facts of a time.
func ShownAt(s *Store, at time.Time) *Shown { return &Shown{s: s, at: stamp(at)} }

// Place is an element of a host.
type Place struct{ Host, Element int64 }

// Showing is a fact, of an attribute that was asked for.
type Showing struct {
	Place

	Attribute int // by its place among those that were asked for
	Layer     Layer
	Value     int64
}

// Names gives texts by their numbers.
func (v *Shown) Names(ctx context.Context, numbers map[int64]bool) (map[int64]string, error) {
	names, err := v.s.named(ctx, "SELECT id, text FROM text WHERE id", numbers)
	return names, v.s.explain(err)
}

// Numbers gives the numbers of texts, of those that the history has.
func (v *Shown) Numbers(ctx context.Context, texts ...string) (map[string]int64, error) {
	var all []any
	for _, t := range texts {
		all = append(all, stored(t))
	}
	out := map[string]int64{}
	for some := range slices.Chunk(all, 500) {
		err := v.s.lookUp(ctx, v.s.db, some)
		if err != nil {
			return nil, v.s.explain(err)
		}
		for _, t := range some {
			text := t.(string)
			number, there := v.s.numbers[text]
			if there {
				out[text] = number
			}
		}
	}
	return out, nil
}

// Changed says that a history may not have a text as it was: it has it without what a database does not take, or
// shortened.
func Changed(text string) bool {
	return strings.Contains(text, "\uFFFD") || len(text) > maxText/2
}

// Named is a host by its number.
type Named struct {
	Host string
	Read time.Time // its last snapshot up to the time
}

// Hosts gives those that have a snapshot, by number.
func (v *Shown) Hosts(ctx context.Context) (map[int64]Named, error) {
	out := map[int64]Named{}
	var latest int64
	_, err := v.s.one(ctx, v.s.db, []any{&latest}, "SELECT coalesce(max(last_taken), 0) FROM host")
	if err != nil {
		return nil, v.s.explain(err)
	}
	v.last = latest <= v.at
	rows, err := v.s.query(ctx, v.s.db, `SELECT h.id, h.name, CASE WHEN h.last_taken <= ? THEN h.last_taken
		ELSE (SELECT max(s.taken) FROM snapshot s WHERE s.host = h.id AND s.taken <= ?) END
		FROM host h WHERE h.first_taken > 0 AND h.first_taken <= ?`, v.at, v.at, v.at)
	err = each(rows, err, func() error {
		var id, taken int64
		var name string
		err := rows.Scan(&id, &name, &taken)
		out[id] = Named{name, moment(taken)}
		return err
	})
	return out, v.s.explain(err)
}

// Missed gives when hosts were not reached, the last time.
func (v *Shown) Missed(ctx context.Context) (map[int64]time.Time, error) {
	out := map[int64]time.Time{}
	rows, err := v.s.query(ctx, v.s.db, "SELECT host, max(at) FROM miss WHERE at <= ? GROUP BY host", v.at)
	err = each(rows, err, func() error {
		var id, at int64
		err := rows.Scan(&id, &at)
		out[id] = moment(at)
		return err
	})
	return out, v.s.explain(err)
}

// Values gives the values that an attribute has on hosts as last read, or had at some time, by number.
func (v *Shown) Values(ctx context.Context, attribute string) (map[int64]string, error) {
	id, there, err := v.s.find(ctx, attribute)
	if err != nil || !there {
		return nil, v.s.explain(err)
	}
	numbers := map[int64]bool{}
	// From one value to the next: an index has them in their order, each many times.
	for _, text := range []string{`WITH RECURSIVE v(value) AS (SELECT min(value) FROM fact WHERE attribute = ? AND ended = 9223372036854775807
		UNION ALL SELECT (SELECT min(f.value) FROM fact f WHERE f.attribute = ? AND f.ended = 9223372036854775807 AND f.value > v.value)
		FROM v WHERE v.value IS NOT NULL) SELECT value FROM v WHERE value IS NOT NULL`,
		"SELECT DISTINCT value FROM fact WHERE attribute = ? AND attribute = ? AND ended < 9223372036854775807"} {
		rows, err := v.s.query(ctx, v.s.db, text, id, id)
		var value int64
		err = each(rows, err, func() error {
			err := rows.Scan(&value)
			numbers[value] = true
			return err
		})
		if err != nil {
			return nil, v.s.explain(err)
		}
	}
	delete(numbers, 0) // of what is not known
	return v.Names(ctx, numbers)
}

// Each visits the facts of an attribute: those with one of some values or, if none is given, all.
func (v *Shown) Each(ctx context.Context, attribute string, values []int64, visit func(Showing)) error {
	id, there, err := v.s.find(ctx, attribute)
	if err != nil || !there {
		return v.s.explain(err)
	}
	args := []any{id}
	which := " AND value > 0" // 0 is what is not known
	if len(values) > 0 {
		which = " AND value IN (" + places(len(values)) + ")"
		for _, value := range values {
			args = append(args, value)
		}
	}
	args = append(args, v.at)
	var x Showing
	// What holds still and what is past have indexes of their own.
	for _, when := range []string{" AND ended = 9223372036854775807", " AND ended < 9223372036854775807 AND ended > ?"} {
		if v.last && len(args) > len(values)+2 {
			break
		}
		rows, err := v.s.query(ctx, v.s.db, "SELECT host, element, layer, value FROM fact WHERE attribute = ?"+which+" AND began <= ?"+when,
			args...)
		err = each(rows, err, func() error {
			err := rows.Scan(&x.Host, &x.Element, &x.Layer, &x.Value)
			visit(x)
			return err
		})
		if err != nil {
			return v.s.explain(err)
		}
		args = append(args, v.at)
	}
	return nil
}

// Of visits the facts of some elements that are of some attributes.
func (v *Shown) Of(ctx context.Context, elements []Place, attributes []string, visit func(Showing)) error {
	numbers, err := v.Numbers(ctx, attributes...)
	if err != nil {
		return err
	}
	index := map[int64]int{}
	wanted := ""
	for i, a := range attributes {
		n, there := numbers[stored(a)]
		if there {
			index[n] = i
			wanted += fmt.Sprintf(",%d", n)
		}
	}
	if len(index) == 0 {
		return nil
	}
	var x Showing
	var attribute int64
	scan := func(rows *sql.Rows) error {
		err := rows.Scan(&x.Host, &x.Element, &attribute, &x.Layer, &x.Value)
		x.Attribute = index[attribute]
		visit(x)
		return err
	}
	return v.join(ctx, elements, `SELECT f.host, f.element, f.attribute, f.layer, f.value FROM w CROSS JOIN fact f WHERE f.host = w.host
		AND f.element = w.element AND f.attribute IN (`+wanted[1:]+") AND f.state = 0 AND f.began <= ? AND f.ended > ?",
		[]any{v.at, v.at}, scan)
}

// join runs a query on w, which are places; args are those of the query.
func (v *Shown) join(ctx context.Context, all []Place, query string, args []any, scan func(*sql.Rows) error) error {
	const most = 400
	for some := range slices.Chunk(all, most*64) {
		err := v.joinPrepared(ctx, some, most, query, args, scan)
		if err != nil {
			return v.s.explain(err)
		}
	}
	return nil
}

// joinPrepared prepares the statement once for as many places as it takes.
func (v *Shown) joinPrepared(
	ctx context.Context, all []Place, most int, query string, args []any, scan func(*sql.Rows) error,
) error {
	var statement *sql.Stmt
	defer func() {
		if statement != nil {
			_ = statement.Close()
		}
	}()
	size := 0
	for some := range slices.Chunk(all, most) {
		if len(some) != size {
			size = len(some)
			// PostgreSQL takes the types of all rows from the first.
			text := "WITH w(host, element) AS (VALUES (CAST(? AS BIGINT), CAST(? AS BIGINT))" + strings.Repeat(",(?,?)", size-1) + ") " + query
			next, err := v.s.db.PrepareContext(ctx, v.s.dialect.rebind(text))
			if err != nil {
				return err
			}
			if statement != nil {
				_ = statement.Close()
			}
			statement = next
		}
		var own []any
		for _, p := range some {
			own = append(own, p.Host, p.Element)
		}
		rows, err := statement.QueryContext(ctx, append(own, args...)...)
		err = each(rows, err, func() error { return scan(rows) })
		if err != nil {
			return err
		}
	}
	return nil
}

// With gives those of some hosts that show a fact of an element which is not in the list of their elements, as the options
// of the whole host are.
func (v *Shown) With(ctx context.Context, hosts []int64, element, listed string) (map[int64]bool, error) {
	out := map[int64]bool{}
	numbers, err := v.Numbers(ctx, element, listed)
	if err != nil || numbers[element] == 0 {
		return out, err
	}
	left := hosts
	if len(hosts) > fewHosts {
		left, err = v.withUsual(ctx, hosts, numbers[element], numbers[listed], out)
		if err != nil {
			return nil, v.s.explain(err)
		}
	}
	var all []Place
	for _, h := range left {
		all = append(all, Place{h, numbers[element]})
	}
	var host int64
	scan := func(rows *sql.Rows) error {
		err := rows.Scan(&host)
		out[host] = true
		return err
	}
	return out, v.join(ctx, all, `SELECT w.host FROM w WHERE EXISTS (SELECT 1 FROM fact f WHERE f.host = w.host AND f.element = w.element
			AND f.state = 0 AND f.layer <= 2 AND f.began <= ? AND f.ended > ?)
		AND NOT EXISTS (SELECT 1 FROM fact f WHERE f.host = w.host AND f.element = w.element AND f.attribute = ? AND f.state = 0
			AND f.began <= ? AND f.ended > ?)`, []any{v.at, v.at, numbers[listed], v.at, v.at}, scan)
}

// fewHosts are looked at one by one: an index of all hosts takes longer.
const fewHosts = 200

// withUsual notes the hosts that show the fact of an element that the first of them shows, and gives the others. Where the
// element is in the list of any host all are left.
func (v *Shown) withUsual(ctx context.Context, hosts []int64, element, listed int64, out map[int64]bool) (left []int64, err error) {
	for _, when := range []string{"ended = 9223372036854775807", "ended < 9223372036854775807"} {
		inList, err := v.s.one(ctx, v.s.db, []any{new(int)},
			"SELECT 1 FROM fact WHERE attribute = ? AND value > 0 AND element = ? AND "+when+" LIMIT 1", listed, element)
		if err != nil || inList {
			return hosts, err
		}
	}
	var attribute, layer int64
	there, err := v.s.one(ctx, v.s.db, []any{&attribute, &layer}, `SELECT attribute, layer FROM fact WHERE host = ? AND element = ?
		AND state = 0 AND layer <= 2 AND ended = 9223372036854775807 LIMIT 1`, hosts[0], element)
	if err != nil || !there {
		return hosts, err
	}
	rows, err := v.s.query(ctx, v.s.db, `SELECT host FROM fact WHERE attribute = ? AND value > 0 AND element = ? AND layer = ?
		AND began <= ? AND ended = 9223372036854775807`, attribute, element, layer, v.at)
	shown := map[int64]bool{}
	var host int64
	err = each(rows, err, func() error {
		err := rows.Scan(&host)
		shown[host] = true
		return err
	})
	for _, h := range hosts {
		if shown[h] {
			out[h] = true
		} else {
			left = append(left, h)
		}
	}
	return left, err
}

// Silent gives those of some hosts that never showed anything: what an HMC said is no fact of its own.
func (v *Shown) Silent(ctx context.Context, hosts []int64) (out []int64, err error) {
	for some := range slices.Chunk(hosts, 500) {
		var args []any
		for _, h := range some {
			args = append(args, h)
		}
		rows, err := v.s.query(ctx, v.s.db, "SELECT id FROM host h WHERE id IN ("+places(len(some))+`)
			AND NOT EXISTS (SELECT 1 FROM fact f WHERE f.host = h.id)`, args...)
		var id int64
		err = each(rows, err, func() error {
			err := rows.Scan(&id)
			out = append(out, id)
			return err
		})
		if err != nil {
			return nil, v.s.explain(err)
		}
	}
	return out, nil
}
