package history

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/collect"
)

// ErrPruned is when the raw text of a snapshot was removed to save room.
var ErrPruned = errors.New("its raw text was pruned")

// Past is a snapshot that the history holds.
type Past struct {
	Host  string
	Taken time.Time

	document int64 // 0: pruned
}

// Snapshots gives the last snapshot up to a time of each host: of the named ones, or of all
// that have one, by name.
func (s *Store) Snapshots(ctx context.Context, at time.Time, hosts ...string) ([]Past, error) {
	if len(hosts) == 0 {
		return readLatest(ctx, s, at)
	}
	var out []Past
	for _, name := range hosts {
		id, err := s.hostID(ctx, name)
		if err != nil {
			return nil, err
		}
		p := Past{Host: name}
		var taken int64
		there, err := s.one(ctx, s.db, []any{&taken, &p.document},
			"SELECT taken, coalesce(document, 0) FROM snapshot WHERE host = ? AND taken <= ? ORDER BY taken DESC LIMIT 1", id, stamp(at))
		if err != nil {
			return nil, s.explain(err)
		}
		if !there {
			return nil, fmt.Errorf("host %s was not read up to %s UTC: that is %w", name, at.UTC().Format(time.DateTime), ErrUnknown)
		}
		p.Taken = moment(taken)
		out = append(out, p)
	}
	return out, nil
}

// Latest is Snapshots of those of some hosts that have one.
func (s *Store) Latest(ctx context.Context, at time.Time, hosts []string) (out []Past, err error) {
	for some := range slices.Chunk(hosts, 500) {
		list, err := readLatest(ctx, s, at, some...)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b Past) int { return strings.Compare(a.Host, b.Host) })
	return out, nil
}

// readLatest gives the last snapshots of the named hosts, or of all.
func readLatest(ctx context.Context, s *Store, at time.Time, names ...string) (out []Past, err error) {
	with, args := lastOf(at, names)
	rows, err := s.query(ctx, s.db, with+` SELECT x.name, x.last, coalesce(s.document, 0) FROM x
		JOIN snapshot s ON s.host = x.id AND s.taken = x.last ORDER BY x.name`, args...)
	out, err = scanPast(rows, err)
	return out, s.explain(err)
}

// scanPast reads rows of a host's name, a snapshot's time and its document.
func scanPast(rows *sql.Rows, err error) (all []Past, _ error) {
	err = each(rows, err, func() error {
		var p Past
		var taken int64
		err := rows.Scan(&p.Host, &taken, &p.document)
		p.Taken = moment(taken)
		all = append(all, p)
		return err
	})
	return all, err
}

// Restore gives a snapshot back as it was added, in memory. Its commands have the time of
// the snapshot.
func (s *Store) Restore(ctx context.Context, p Past) (*collect.Snapshot, error) {
	at := p.Host + " of " + p.Taken.Format(time.DateTime) + " UTC"
	if p.document == 0 {
		return nil, fmt.Errorf("%s: %w", at, ErrPruned)
	}
	var sum, data []byte
	there, err := s.one(ctx, s.db, []any{&sum, &data}, "SELECT sha256, data FROM blob WHERE id = ?", p.document)
	if err != nil {
		return nil, s.explain(err)
	}
	if !there {
		return nil, fmt.Errorf("%s: its manifest is missing in the history", at)
	}
	d, err := s.document(sum, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	files, err := s.files(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	m := d.Manifest
	m.Started, m.Finished = p.Taken, p.Taken
	for i := range m.Commands {
		m.Commands[i].Start = p.Taken
	}
	return collect.NewSnapshot(m, files), nil
}

// document reads a manifest as it is kept.
func (s *blobs) document(sum, data []byte) (*document, error) {
	text, err := s.unpack(sum, data)
	if err != nil {
		return nil, err
	}
	var d document
	err = decode.JSON("manifest", text, &d, decode.Newer)
	return &d, err
}

// files are the raw outputs of a snapshot by name.
func (s *blobs) files(ctx context.Context, d *document) (map[string][]byte, error) {
	names := map[string][]string{} // by digest
	var sums []any
	for name, text := range d.Files {
		sum, err := hex.DecodeString(text)
		if err != nil || len(sum) != sha256.Size {
			return nil, fmt.Errorf("manifest: %q is not a SHA-256", text)
		}
		if names[string(sum)] == nil {
			sums = append(sums, sum)
		}
		names[string(sum)] = append(names[string(sum)], name)
	}
	files := map[string][]byte{}
	for len(sums) > 0 {
		some := sums[:min(len(sums), 500)]
		sums = sums[len(some):]
		rows, err := s.query(ctx, s.db, "SELECT sha256, data FROM blob WHERE sha256 IN ("+places(len(some))+")", some...)
		var sum, data []byte
		err = each(rows, err, func() error {
			err := rows.Scan(&sum, &data)
			if err != nil {
				return err
			}
			text, err := s.unpack(sum, data)
			for _, name := range names[string(sum)] {
				files[name] = text
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) < len(d.Files) {
		return nil, fmt.Errorf("%d of %d raw outputs are missing in the history", len(d.Files)-len(files), len(d.Files))
	}
	return files, nil
}

// Pruned counts what was removed.
type Pruned struct {
	Before    time.Time `json:"before"`
	Snapshots int64     `json:"snapshots"` // whose raw text is gone; facts and findings stay
	Outputs   int64     `json:"outputs"`   // raw outputs
	Bytes     int64     `json:"bytes"`     // as they were kept, compressed
	Kept      int64     `json:"kept"`      // snapshots that have their raw text still
}

// Prune removes the raw text of snapshots before a time, but of the last one of each host.
// Facts and findings stay.
func (s *Store) Prune(ctx context.Context, before time.Time) (*Pruned, error) {
	out := &Pruned{Before: before}
	err := s.within(ctx, func(tx *transaction) error {
		result, err := tx.ExecContext(ctx, s.dialect.rebind(`UPDATE snapshot SET document = NULL WHERE document IS NOT NULL AND taken < ?
			AND taken < (SELECT h.last_taken FROM host h WHERE h.id = snapshot.host)`), stamp(before))
		if err != nil {
			return err
		}
		out.Snapshots, err = result.RowsAffected()
		if err != nil {
			return err
		}
		return s.sweep(ctx, tx, out)
	})
	if err != nil {
		return nil, err
	}
	if s.dialect.vacuum != "" && out.Outputs > 0 {
		err = s.exec(ctx, s.db, s.dialect.vacuum)
	}
	return out, s.explain(err)
}

// sweep removes blobs that no manifest names any more.
func (s *blobs) sweep(ctx context.Context, tx *transaction, out *Pruned) error {
	_, err := s.one(ctx, tx, []any{&out.Kept}, "SELECT count(*) FROM snapshot WHERE document IS NOT NULL")
	if err != nil {
		return err
	}
	used := map[[sha256.Size]byte]bool{}
	rows, err := s.query(ctx, tx, `SELECT sha256, data FROM blob
		WHERE id IN (SELECT document FROM snapshot UNION SELECT document FROM result)`)
	var sum, data []byte
	err = each(rows, err, func() error {
		err := rows.Scan(&sum, &data)
		if err != nil {
			return err
		}
		used[[sha256.Size]byte(sum)] = true
		text, err := s.unpack(sum, data)
		if err != nil {
			return err
		}
		var d document
		err = json.Unmarshal(text, &d)
		for _, file := range d.Files {
			digest, err := hex.DecodeString(file)
			if err == nil && len(digest) == sha256.Size {
				used[[sha256.Size]byte(digest)] = true
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	var unused []int64
	rows, err = s.query(ctx, tx, "SELECT id, sha256, length(data) FROM blob")
	var id, size int64
	err = each(rows, err, func() error {
		err := rows.Scan(&id, &sum, &size)
		if err == nil && !used[[sha256.Size]byte(sum)] {
			unused = append(unused, id)
			out.Bytes += size
		}
		return err
	})
	for _, id := range unused {
		if err == nil {
			err = s.exec(ctx, tx, "DELETE FROM blob WHERE id = ?", id)
		}
	}
	out.Outputs = int64(len(unused))
	return err
}
