package history

import (
	"context"
	"database/sql"
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// outline is what a host says as last read: a number for each of its facts, sorted, and none of
// its findings. Two facts have the same number by chance about once in 4 billion pairs, so what
// outlines say is looked at again where it counts.
type outline []uint32

// outlineOf makes the outline of facts.
func outlineOf(facts map[key]fact) outline {
	var out outline
	for k, f := range facts {
		if k.layer != Finding {
			out = append(out, outlined(k, f.value))
		}
	}
	slices.Sort(out)
	return out
}

// outlined is the number of a fact.
func outlined(k key, value int64) uint32 {
	h := fnv.New32a()
	var text [25]byte
	binary.BigEndian.PutUint64(text[0:], uint64(k.element))
	binary.BigEndian.PutUint64(text[8:], uint64(k.attribute))
	binary.BigEndian.PutUint64(text[16:], uint64(value))
	text[24] = byte(k.layer)
	_, _ = h.Write(text[:]) // cannot fail
	return h.Sum32()
}

func (o outline) bytes() []byte {
	out := make([]byte, 0, 4*len(o))
	for _, n := range o {
		out = binary.BigEndian.AppendUint32(out, n)
	}
	return out
}

func parseOutline(text []byte) outline {
	out := make(outline, len(text)/4)
	for i := range out {
		out[i] = binary.BigEndian.Uint32(text[4*i:])
	}
	return out
}

// common counts the numbers that both have.
func (o outline) common(other []byte) (n int) {
	i := 0
	for len(other) >= 4 && i < len(o) {
		next := binary.BigEndian.Uint32(other)
		switch {
		case o[i] < next:
			i++
		case o[i] > next:
			other = other[4:]
		default:
			n++
			i++
			other = other[4:]
		}
	}
	return n
}

// putOutline keeps what a host says as last read.
func (s *database) putOutline(ctx context.Context, tx *transaction, host int64, facts map[key]fact) error {
	return s.exec(ctx, tx, "INSERT INTO outline (host, facts) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET facts = excluded.facts",
		host, outlineOf(facts).bytes())
}

// putOutlines keeps what all hosts say, of a history that has no outlines yet.
func (s *database) putOutlines(ctx context.Context, tx *transaction) error {
	var hosts []int64
	rows, err := s.query(ctx, tx, "SELECT id FROM host WHERE last_taken > 0")
	var id int64
	err = each(rows, err, func() error {
		err := rows.Scan(&id)
		hosts = append(hosts, id)
		return err
	})
	if err != nil {
		return err
	}
	for _, host := range hosts {
		facts := map[key]fact{}
		err = s.intervals(ctx, tx, host, " AND ended = 9223372036854775807 AND state = 0", func(v interval) {
			facts[v.key] = fact{v.value, v.listing}
		})
		if err == nil {
			err = s.putOutline(ctx, tx, host, facts)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// candidate is a host that is like another.
type candidate struct {
	host  int64
	alike int // facts that are the same, as far as outlines tell
}

// alike gives the hosts that have most facts in common with a host, at most n of them.
func (s *database) alike(ctx context.Context, host int64, n int) (out []candidate, err error) {
	var text []byte
	there, err := s.one(ctx, s.db, []any{&text}, "SELECT facts FROM outline WHERE host = ?", host)
	if err != nil || !there {
		return nil, err
	}
	own := parseOutline(text)
	rows, err := s.query(ctx, s.db, "SELECT host, facts FROM outline WHERE host <> ?", host)
	var other sql.RawBytes
	err = each(rows, err, func() error {
		var c candidate
		err := rows.Scan(&c.host, &other)
		c.alike = own.common(other)
		if c.alike > 0 {
			out = append(out, c)
		}
		return err
	})
	slices.SortFunc(out, candidate.compare)
	return out[:min(n, len(out))], err
}

// compare puts hosts that have more in common first.
func (c candidate) compare(other candidate) int {
	if c.alike != other.alike {
		return other.alike - c.alike
	}
	return int(min(max(c.host-other.host, -1), 1))
}
