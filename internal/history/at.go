package history

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"seaworthy/internal/inventory/model"
)

// Held is what was known of a fact at a time.
type Held struct {
	model.Ref
	Attribute string    `json:"attribute"`
	Layer     Layer     `json:"layer"`
	Value     string    `json:"value"`
	Since     time.Time `json:"since"` // the first of the snapshots that show it without a break
	// Unread says that the snapshot does not show it: Value is the one before, which may hold no more.
	Unread bool `json:"unread,omitempty"`
}

// At gives what was known of a host at a time, by its last snapshot up to then: facts that
// were there or that were not read, sorted by element and attribute.
func (s *Store) At(ctx context.Context, host, element string, at time.Time) ([]Held, error) {
	narrow, args, err := narrowTo(ctx, s, host, element)
	if err != nil {
		return nil, err
	}
	all, err := s.rows(ctx, series+" WHERE f.began <= ?"+narrow, append([]any{stamp(at)}, args...)...)
	if err != nil {
		return nil, s.explain(err)
	}
	out := []Held{}
	facts(all, func(one []row) {
		last := one[len(one)-1]
		h := Held{Ref: last.Ref, Attribute: last.attribute, Layer: last.layer, Value: last.value, Since: moment(last.began)}
		if last.state == unread {
			i := lastKnown(one)
			if i < 0 || one[i].state == gone {
				return
			}
			h.Value, h.Since, h.Unread = one[i].value, moment(one[i].began), true
		}
		if last.state != gone {
			out = append(out, h)
		}
	})
	slices.SortStableFunc(out, func(a, b Held) int { return cmp.Or(a.Ref.Compare(b.Ref), cmp.Compare(a.Attribute, b.Attribute)) })
	return out, nil
}

// Nearest gives what was known of some attributes of a host at a time or, before its first
// snapshot, at that; none of a host that the history does not have.
func (s *Store) Nearest(ctx context.Context, host string, at time.Time, attributes ...string) ([]Held, error) {
	args := []any{stored(host)}
	for _, a := range attributes {
		args = append(args, a)
	}
	all, err := s.rows(ctx, series+` JOIN host h ON h.id = f.host WHERE h.name = ? AND f.state = 0
		AND f.attribute IN (SELECT id FROM text WHERE text IN (`+places(len(attributes))+"))", args...)
	if err != nil || len(all) == 0 {
		return nil, s.explain(err)
	}
	first := slices.MinFunc(all, func(a, b row) int { return cmp.Compare(a.began, b.began) }).began
	when := max(stamp(at), first)
	var out []Held
	for _, r := range all {
		if r.began <= when && when < r.ended {
			out = append(out, Held{Ref: r.Ref, Attribute: r.attribute, Layer: r.layer, Value: r.value, Since: moment(r.began)})
		}
	}
	return out, nil
}

// lastKnown is the index of the last interval that was read; -1: none.
func lastKnown(one []row) int {
	for i := len(one) - 1; i >= 0; i-- {
		if one[i].state != unread {
			return i
		}
	}
	return -1
}

// Comparison is what changed between two times.
type Comparison struct {
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
	Changes []Change  `json:"changes"`
	Unread  []Held    `json:"unread"`         // read up to the first time, and not at the second
	Added   []string  `json:"hosts_added"`    // read for the first time in between
	NotSeen []Span    `json:"hosts_not_read"` // read before, and not in between: what changed there is not known
	Seen    int       `json:"hosts_read"`     // before and in between
}

// Diff compares what was known at two times; of some hosts, where they are named.
func (s *Store) Diff(ctx context.Context, from, to time.Time, hosts ...string) (*Comparison, error) {
	out := &Comparison{From: from, To: to, Changes: []Change{}, Unread: []Held{}, Added: []string{}, NotSeen: []Span{}}
	for _, h := range hosts {
		_, err := s.hostID(ctx, h)
		if err != nil {
			return nil, err
		}
	}
	names := hosts
	if len(hosts) == 0 {
		var err error
		names, err = out.addReadBetween(ctx, s)
		if err != nil {
			return nil, err
		}
	}
	err := out.addSpans(ctx, s, names)
	if err != nil {
		return nil, err
	}
	rows, err := rowsBetween(ctx, s, stamp(from), stamp(to), hosts)
	if err != nil {
		return nil, err
	}
	facts(rows, out.compare)
	out.Changes = together(out.Changes)
	return out, s.explain(s.addRuns(ctx, out.Changes))
}

// addSpans notes which of some hosts were read before, in between, or both.
func (out *Comparison) addSpans(ctx context.Context, s *Store, names []string) error {
	for some := range slices.Chunk(names, 500) {
		all, err := readSpans(ctx, s, out.To, stamp(out.From), some...)
		if err != nil {
			return err
		}
		for _, h := range all {
			switch {
			case !h.Last.After(out.From):
				out.NotSeen = append(out.NotSeen, h)
			case h.First.After(out.From):
				out.Added = append(out.Added, h.Host)
			default:
				out.Seen++
			}
		}
	}
	slices.Sort(out.Added)
	slices.SortFunc(out.NotSeen, func(a, b Span) int { return cmp.Compare(a.Host, b.Host) })
	return nil
}

// addReadBetween notes the hosts that were read between the two times as far as few looks show it, and gives the others.
func (out *Comparison) addReadBetween(ctx context.Context, s *Store) (left []string, err error) {
	type host struct {
		id, first, last int64
		name            string
	}
	from, to := stamp(out.From), stamp(out.To)
	var all []host
	later := 0 // hosts that were read after the second time, too
	rows, err := s.query(ctx, s.db, "SELECT id, name, first_taken, last_taken FROM host")
	err = each(rows, err, func() error {
		var h host
		err := rows.Scan(&h.id, &h.name, &h.first, &h.last)
		later += count(h.last > to)
		all = append(all, h)
		return err
	})
	if err != nil {
		return nil, s.explain(err)
	}
	read := map[int64]bool{}
	if later > 0 {
		rows, err = s.query(ctx, s.db, "SELECT host FROM snapshot WHERE taken > ? AND taken <= ? ORDER BY taken, host LIMIT ?",
			from, to, 2*later)
		var id int64
		err = each(rows, err, func() error {
			err := rows.Scan(&id)
			read[id] = true
			return err
		})
		if err != nil {
			return nil, s.explain(err)
		}
	}
	for _, h := range all {
		switch {
		case !read[h.id] && (h.last <= from || h.last > to):
			left = append(left, h.name)
		case h.first > from:
			out.Added = append(out.Added, h.name)
		default:
			out.Seen++
		}
	}
	return left, nil
}

// compare compares a fact at the two times.
func (out *Comparison) compare(one []row) {
	was, is := upTo(one, stamp(out.From)), upTo(one, stamp(out.To))
	if len(was) == 0 { // the host was not there
		return
	}
	before, now := lastKnown(was), is[len(is)-1]
	switch {
	case before < 0:
		return // it was never read before: what it was is not known
	case now.state == unread:
		if was[len(was)-1].state == known {
			out.Unread = append(out.Unread, Held{Ref: now.Ref, Attribute: now.attribute, Layer: now.layer, Value: one[before].value,
				Since: moment(one[before].began), Unread: true})
		}
		return
	case one[before].state == now.state && one[before].value == now.value:
		return
	}
	last := one[before]
	for _, r := range is[before:] { // it may have come and gone meanwhile
		if r.state == last.state && r.value == last.value {
			last = r
		}
	}
	out.Changes = append(out.Changes, Change{Ref: now.Ref, Attribute: now.attribute, Layer: now.layer, Before: one[before].text(),
		After: now.text(), LastSeen: moment(last.last), FirstSeen: moment(now.began)})
}

// upTo are the intervals of a fact that began up to a time.
func upTo(one []row, at int64) []row {
	n := 0
	for n < len(one) && one[n].began <= at {
		n++
	}
	return one[:n]
}

// Likeness is how much a host is like another.
type Likeness struct {
	Host    string       `json:"host"`
	Alike   int          `json:"alike"`   // facts that are the same
	Differs []Difference `json:"differs"` // facts that both have
	Only    int          `json:"only"`    // facts that one of them has
}

// Difference is a fact in which two hosts differ.
type Difference struct {
	Element   string `json:"element"`
	Attribute string `json:"attribute"`
	Layer     Layer  `json:"layer"`
	Own       string `json:"own"`
	Other     string `json:"other"`
}

// looksFor is how many candidates are looked at for each similar host.
const looksFor = 4

// Similar gives the hosts that have most facts in common with a host as last read, at most n
// of them, and in what they differ. Findings are not counted.
func (s *Store) Similar(ctx context.Context, host string, n int) ([]Likeness, error) {
	id, err := s.hostID(ctx, host)
	if err != nil {
		return nil, err
	}
	candidates, err := s.alike(ctx, id, looksFor*n)
	if err != nil {
		return nil, s.explain(err)
	}
	own, err := rowsNow(ctx, s, id)
	if err != nil {
		return nil, err
	}
	out := []Likeness{}
	for _, c := range candidates {
		other, err := rowsNow(ctx, s, c.host)
		if err != nil {
			return nil, err
		}
		if len(other) > 0 {
			out = append(out, likeness(own, other))
		}
	}
	slices.SortStableFunc(out, func(a, b Likeness) int { return b.Alike - a.Alike })
	out = out[:min(n, len(out))]
	slices.SortStableFunc(out, func(a, b Likeness) int { return len(a.Differs) + a.Only - len(b.Differs) - b.Only })
	return out, nil
}

// rowsNow are the facts of a host as last read.
func rowsNow(ctx context.Context, s *Store, host int64) ([]row, error) {
	all, err := s.rows(ctx, series+" WHERE f.host = ? AND f.ended = 9223372036854775807 AND f.state = 0 AND f.layer <> 3", host)
	return all, s.explain(err)
}

func likeness(own, other []row) Likeness {
	name := func(r row) string { return fmt.Sprintf("%q %q %d", r.Element, r.attribute, r.layer) }
	l := Likeness{Host: other[0].Host, Differs: []Difference{}}
	theirs := map[string]row{}
	for _, r := range other {
		theirs[name(r)] = r
	}
	for _, r := range own {
		o, there := theirs[name(r)]
		if !there {
			l.Only++
			continue
		}
		delete(theirs, name(r))
		if o.value == r.value {
			l.Alike++
		} else {
			l.Differs = append(l.Differs, Difference{r.Element, r.attribute, r.layer, r.value, o.value})
		}
	}
	l.Only += len(theirs)
	slices.SortStableFunc(l.Differs, func(a, b Difference) int { return model.Natural(a.Element, b.Element) })
	return l
}
