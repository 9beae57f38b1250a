package history

import (
	"context"
	"time"
)

// Condition is something that a host must show for an expression to hold on it: an
// attribute, with one of some values.
type Condition struct {
	Attribute string
	Values    []string // none: any
}

// HostsWith gives the hosts that showed each of some conditions at a time, on whatever
// element; sorted. It leaves out none on which all of them hold on one element.
func (s *Store) HostsWith(ctx context.Context, at time.Time, conditions []Condition) ([]string, error) {
	text := "SELECT h.name FROM host h WHERE h.first_taken > 0 AND h.first_taken <= ?"
	args := []any{stamp(at)}
	for _, c := range conditions {
		attribute, there, err := s.find(ctx, c.Attribute)
		if err != nil {
			return nil, s.explain(err)
		}
		if !there {
			return nil, nil
		}
		own := []any{attribute}
		values := ""
		if len(c.Values) > 0 {
			values = " AND value IN (SELECT id FROM text WHERE text IN (" + places(len(c.Values)) + "))"
			for _, v := range c.Values {
				own = append(own, stored(v))
			}
		}
		// Two statements: what holds still and what is past have indexes of their own.
		text += " AND h.id IN (SELECT host FROM fact WHERE attribute = ?" + values + " AND ended = 9223372036854775807 AND began <= ?" +
			" UNION SELECT host FROM fact WHERE attribute = ?" + values + " AND ended < 9223372036854775807 AND ended > ? AND began <= ?)"
		args = append(append(args, own...), stamp(at))
		args = append(append(args, own...), stamp(at), stamp(at))
	}
	rows, err := s.query(ctx, s.db, text+" ORDER BY h.name", args...)
	return s.names(rows, err)
}

// Beside gives the hosts that showed the same value of an attribute of the whole host as one
// of some hosts at a time, such as their managed system; these are among them.
func (s *Store) Beside(ctx context.Context, at time.Time, attribute string, hosts []string) ([]string, error) {
	out := map[string]bool{}
	for _, h := range hosts {
		out[h] = true
	}
	id, there, err := s.find(ctx, attribute)
	if err != nil || !there {
		return sortedKeys(out), s.explain(err)
	}
	values := map[int64]bool{}
	for len(hosts) > 0 {
		some := hosts[:min(len(hosts), 500)]
		hosts = hosts[len(some):]
		args := []any{id, stamp(at), stamp(at)}
		for _, h := range some {
			args = append(args, stored(h))
		}
		rows, err := s.query(ctx, s.db, `SELECT DISTINCT f.value FROM host h JOIN text e ON e.text = 'host' JOIN fact f
			ON f.host = h.id AND f.element = e.id AND f.attribute = ? AND f.layer = 0 AND f.state = 0 AND f.began <= ? AND f.ended > ?
			WHERE h.name IN (`+places(len(some))+")", args...)
		var value int64
		err = each(rows, err, func() error {
			err := rows.Scan(&value)
			values[value] = true
			return err
		})
		if err != nil {
			return nil, s.explain(err)
		}
	}
	for value := range values {
		rows, err := s.query(ctx, s.db, `SELECT DISTINCT h.name FROM fact f JOIN host h ON h.id = f.host
			WHERE f.attribute = ? AND f.value = ? AND f.ended = 9223372036854775807`, id, value)
		names, err := s.names(rows, err)
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			out[n] = true
		}
	}
	return sortedKeys(out), nil
}
