package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"seaworthy/internal/inventory/model"
)

// Change is a fact that became another one. When exactly nobody saw: it was after
// LastSeen and no later than FirstSeen.
type Change struct {
	model.Ref
	Attribute string    `json:"attribute"`
	Layer     Layer     `json:"layer"`
	Before    *string   `json:"before"` // nil: there was none
	After     *string   `json:"after"`  // nil: there is none any more
	LastSeen  time.Time `json:"last_seen"`
	FirstSeen time.Time `json:"first_seen"`
	// Both says that the running value and that of the next boot changed alike.
	Both bool   `json:"both,omitempty"`
	Runs []Done `json:"runs,omitempty"` // that set it in between
}

// Done is a run of seaworthy that set an attribute.
type Done struct {
	Run     string    `json:"run"`
	At      time.Time `json:"at"`
	Value   string    `json:"value"`
	Outcome string    `json:"outcome"`
}

// series selects facts by the columns of the row f.
const series = `SELECT f.host, f.element, f.attribute, f.layer, f.began, f.ended, f.state, f.value,
	CASE WHEN f.ended < 9223372036854775807 THEN (SELECT max(p.taken) FROM snapshot p WHERE p.host = f.host AND p.taken < f.ended) ELSE 0 END
	FROM fact f`

// row is an interval with its texts.
type row struct {
	host int64
	model.Ref
	attribute    string
	layer        Layer
	began, ended int64
	state        state
	value        string
	last         int64 // the last snapshot of the interval; 0: it holds on
}

func (r row) sameFact(o row) bool {
	return r.host == o.host && r.Element == o.Element && r.attribute == o.attribute && r.layer == o.layer
}

// text is the value of a fact that is known; nil: there is none.
func (r row) text() *string {
	if r.state != known {
		return nil
	}
	return &r.value
}

// rows reads intervals, those of a fact together and in the order of time.
func (s *Store) rows(ctx context.Context, text string, args ...any) ([]row, error) {
	rows, err := s.query(ctx, s.db, text+" ORDER BY f.host, f.element, f.attribute, f.layer, f.began", args...)
	var all []row
	var numbers [][3]int64 // of the element, the attribute and the value
	err = each(rows, err, func() error {
		var r row
		var n [3]int64
		err := rows.Scan(&r.host, &n[0], &n[1], &r.layer, &r.began, &r.ended, &r.state, &n[2], &r.last)
		all, numbers = append(all, r), append(numbers, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	texts, err := s.spell(ctx, numbers)
	if err != nil {
		return nil, err
	}
	hosts, err := s.hostNames(ctx, all)
	if err != nil {
		return nil, err
	}
	for i := range all {
		r := &all[i]
		r.Host = hosts[r.host]
		r.Element, r.attribute, r.value = texts[numbers[i][0]], texts[numbers[i][1]], texts[numbers[i][2]]
	}
	return all, nil
}

// hostNames are the names of the hosts of rows, by number.
func (s *database) hostNames(ctx context.Context, all []row) (map[int64]string, error) {
	wanted := map[int64]bool{}
	for _, r := range all {
		wanted[r.host] = true
	}
	return s.named(ctx, "SELECT id, name FROM host WHERE id", wanted)
}

// facts calls visit with the intervals of each fact.
func facts(all []row, visit func(one []row)) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].sameFact(all[0]) {
			n++
		}
		visit(all[:n])
		all = all[n:]
	}
}

// changes are those between the intervals of one fact. Where it was not read in between,
// the values before and after are compared.
func changes(one []row) (out []Change) {
	var last *row
	for i := range one {
		r := &one[i]
		if r.state == unread {
			continue
		}
		if last != nil && (last.state != r.state || last.value != r.value) {
			out = append(out, Change{Ref: r.Ref, Attribute: r.attribute, Layer: r.layer, Before: last.text(), After: r.text(),
				LastSeen: moment(last.last), FirstSeen: moment(r.began)})
		}
		last = r
	}
	return out
}

// Value counts how often an attribute has a value now.
type Value struct {
	Value    string    `json:"value"`
	Layer    Layer     `json:"layer"`
	Elements int       `json:"elements"`
	Hosts    int       `json:"hosts"`
	Since    time.Time `json:"since"` // the first snapshot that shows it, of all
}

// Since is when an attribute, or the verdict of a rule, changed.
type Since struct {
	Attribute string   `json:"attribute"`
	Hosts     []string `json:"hosts"` // asked for; empty: all
	Changes   []Change `json:"changes"`
	Values    []Value  `json:"values"` // as they are now
}

// ErrUnknown is when a history does not have what was asked for.
var ErrUnknown = errors.New("not in the history")

// Since gives when an attribute or a rule's verdict changed, the latest change first; of
// a host, and an element of it, where they are named.
func (s *Store) Since(ctx context.Context, attribute, host, element string) (*Since, error) {
	out := &Since{Attribute: attribute, Hosts: []string{}, Changes: []Change{}, Values: []Value{}}
	id, there, err := s.find(ctx, attribute)
	if err != nil {
		return nil, s.explain(err)
	}
	if !there {
		return nil, fmt.Errorf("%s: %w as an attribute or a rule", attribute, ErrUnknown)
	}
	narrow, args, err := narrowTo(ctx, s, host, element)
	if err != nil {
		return nil, err
	}
	if host != "" {
		out.Hosts = append(out.Hosts, host)
	}
	all, err := s.rows(ctx, series+` JOIN (SELECT DISTINCT host, element, layer FROM fact f WHERE attribute = ?`+narrow+`
		AND ended < 9223372036854775807) c ON c.host = f.host AND c.element = f.element AND c.layer = f.layer
		WHERE f.attribute = ?`, append(append([]any{id}, args...), id)...)
	if err != nil {
		return nil, s.explain(err)
	}
	facts(all, func(one []row) { out.Changes = append(out.Changes, changes(one)...) })
	out.Changes = together(out.Changes)
	err = s.addRuns(ctx, out.Changes)
	if err != nil {
		return nil, s.explain(err)
	}
	out.Values, err = readValues(ctx, s, id, narrow, args)
	if err == nil && len(out.Changes)+len(out.Values) == 0 {
		err = fmt.Errorf("%s of %s: %w", attribute, cmp.Or(host, "any host"), ErrUnknown)
		return nil, err
	}
	return out, s.explain(err)
}

// readValues counts the values that an attribute has now.
func readValues(ctx context.Context, s *Store, attribute int64, narrow string, args []any) ([]Value, error) {
	out := []Value{}
	rows, err := s.query(ctx, s.db, `SELECT v.text, n.layer, n.elements, n.hosts, n.since FROM (
		SELECT f.value, f.layer, count(*) AS elements, count(DISTINCT f.host) AS hosts, min(f.began) AS since FROM fact f
		WHERE f.attribute = ?`+narrow+` AND f.ended = 9223372036854775807 GROUP BY f.value, f.layer) n JOIN text v ON v.id = n.value`,
		append([]any{attribute}, args...)...)
	err = each(rows, err, func() error {
		var v Value
		var since int64
		err := rows.Scan(&v.Value, &v.Layer, &v.Elements, &v.Hosts, &since)
		v.Since = moment(since)
		out = append(out, v)
		return err
	})
	slices.SortFunc(out, func(a, b Value) int {
		return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(b.Elements, a.Elements), cmp.Compare(a.Value, b.Value))
	})
	return out, err
}

// narrowTo is a condition on the host and the element of the row f.
func narrowTo(ctx context.Context, s *Store, host, element string) (text string, args []any, err error) {
	if host == "" {
		return "", nil, nil
	}
	id, err := s.hostID(ctx, host)
	if err != nil {
		return "", nil, err
	}
	text, args = " AND f.host = ?", []any{id}
	if element == "" {
		return text, args, nil
	}
	number, there, err := s.find(ctx, element)
	if err != nil {
		return "", nil, s.explain(err)
	}
	if !there {
		return "", nil, fmt.Errorf("element %s:%s is %w", host, element, ErrUnknown)
	}
	return text + " AND f.element = ?", append(args, number), nil
}

// hostID gives the number of a host that the history has.
func (s *database) hostID(ctx context.Context, name string) (id int64, err error) {
	there, err := s.one(ctx, s.db, []any{&id}, "SELECT id FROM host WHERE name = ?", stored(name))
	if err == nil && !there {
		return 0, fmt.Errorf("host %s is %w (seaworthy history ls lists them)", name, ErrUnknown)
	}
	return id, s.explain(err)
}

// together joins the change of a running value and the same one of the next boot, and
// sorts changes: the latest first.
func together(all []Change) []Change {
	type alike struct {
		model.Ref
		attribute     string
		last, first   int64
		before, after string
	}
	var out []Change
	running := map[alike]int{}
	for _, c := range all {
		k := alike{c.Ref, c.Attribute, stamp(c.LastSeen), stamp(c.FirstSeen), shown(c.Before), shown(c.After)}
		i, there := running[k]
		if there && c.Layer == NextBoot {
			out[i].Both = true
			continue
		}
		if c.Layer == Running {
			running[k] = len(out)
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b Change) int {
		return cmp.Or(b.FirstSeen.Compare(a.FirstSeen), a.Ref.Compare(b.Ref), cmp.Compare(a.Attribute, b.Attribute),
			cmp.Compare(a.Layer, b.Layer))
	})
	return out
}

// shown tells a value from none.
func shown(value *string) string {
	if value == nil {
		return ""
	}
	return "=" + *value
}
