package history

import (
	"context"
)

// ReadStanding gives where a verdict of some rules holds as each host was last read, by rule, host and
// element.
func ReadStanding(ctx context.Context, s *Store, verdict string, rules []string) (out []Spell, err error) {
	args := []any{verdict}
	for _, id := range rules {
		args = append(args, stored(id))
	}
	rows, err := s.query(ctx, s.db, `SELECT h.name, e.text, a.text, f.began FROM fact f JOIN host h ON h.id = f.host
		JOIN text e ON e.id = f.element JOIN text a ON a.id = f.attribute
		WHERE f.ended = 9223372036854775807 AND f.layer = 3 AND f.state = 0 AND f.value = (SELECT id FROM text WHERE text = ?)
		AND f.attribute IN (SELECT id FROM text WHERE text IN (`+places(len(rules))+`)) ORDER BY a.text, h.name, e.text`, args...)
	err = each(rows, err, func() error {
		var x Spell
		var began int64
		err := rows.Scan(&x.Host, &x.Element, &x.Rule, &began)
		x.Began = moment(began)
		out = append(out, x)
		return err
	})
	return out, s.explain(err)
}
