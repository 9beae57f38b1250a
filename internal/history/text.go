package history

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxText bounds a name or value, in bytes: indexes of PostgreSQL take no more than 2704.
const maxText = 1000

// maxTexts is how many numbers of texts are remembered.
const maxTexts = 500_000

// texts are the names and values of a history, by number.
type texts struct {
	*database

	numbers map[string]int64 // of texts that were asked for
}

// stored is a text as both databases take it: valid UTF-8 without NUL, and not too long.
func stored(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	if len(text) <= maxText {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	head := strings.ToValidUTF8(text[:maxText-100], "")
	return fmt.Sprintf("%s… (%d bytes, SHA-256 %x)", head, len(text), sum[:8])
}

// number gives the numbers of texts, which are those of stored.
func (s *texts) number(ctx context.Context, q querier, all []string) error {
	if len(s.numbers) > maxTexts {
		clear(s.numbers)
	}
	var missing []any
	asked := map[string]bool{}
	for _, t := range all {
		if _, known := s.numbers[t]; !known && !asked[t] {
			asked[t] = true
			missing = append(missing, t)
		}
	}
	for len(missing) > 0 {
		some := missing[:min(len(missing), 500)]
		missing = missing[len(some):]
		err := s.lookUp(ctx, q, some)
		if err != nil {
			return err
		}
		for _, t := range some {
			if _, known := s.numbers[t.(string)]; known {
				continue
			}
			err = s.exec(ctx, q, "INSERT INTO text (text) VALUES (?) ON CONFLICT DO NOTHING", t)
			if err != nil {
				return err
			}
		}
		err = s.lookUp(ctx, q, some)
		if err != nil {
			return err
		}
	}
	return nil
}

// lookUp remembers the numbers of texts that the database has.
func (s *texts) lookUp(ctx context.Context, q querier, all []any) error {
	var ask []any
	for _, t := range all {
		if _, known := s.numbers[t.(string)]; !known {
			ask = append(ask, t)
		}
	}
	if len(ask) == 0 {
		return nil
	}
	rows, err := s.query(ctx, q, "SELECT id, text FROM text WHERE text IN ("+places(len(ask))+")", ask...)
	var id int64
	var text string
	return each(rows, err, func() error {
		err := rows.Scan(&id, &text)
		s.numbers[text] = id
		return err
	})
}

// spell gives the texts of numbers.
func (s *texts) spell(ctx context.Context, numbers [][3]int64) (map[int64]string, error) {
	wanted := map[int64]bool{}
	for _, some := range numbers {
		for _, n := range some {
			wanted[n] = true
		}
	}
	delete(wanted, 0)
	return s.named(ctx, "SELECT id, text FROM text WHERE id", wanted)
}

// named reads texts by their numbers; which selects both, up to a condition on the number.
func (s *database) named(ctx context.Context, which string, wanted map[int64]bool) (map[int64]string, error) {
	out := make(map[int64]string, len(wanted))
	for some := range slices.Chunk(slices.Sorted(maps.Keys(wanted)), 500) {
		args := make([]any, len(some))
		for i, n := range some {
			args[i] = n
		}
		rows, err := s.query(ctx, s.db, which+" IN ("+places(len(some))+")", args...)
		var id int64
		var text string
		err = each(rows, err, func() error {
			err := rows.Scan(&id, &text)
			out[id] = text
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// find gives the number of a text; false if the history has no such text.
func (s *texts) find(ctx context.Context, text string) (id int64, there bool, err error) {
	there, err = s.one(ctx, s.db, []any{&id}, "SELECT id FROM text WHERE text = ?", stored(text))
	return id, there, err
}

// places are n placeholders.
func places(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }
