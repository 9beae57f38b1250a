package history

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/collect"
)

// Digest is the SHA-256 of what a host printed and by which commands, without the times:
// of one program, snapshots with the same digest say the same facts.
type Digest [sha256.Size]byte

// Judging identifies the snapshots that were judged together, and the program that did it:
// where it is the same again, so is every fact and finding. Zero: not known.
type Judging [sha256.Size]byte

// NewJudging identifies the judging of snapshots by a program.
func NewJudging(program [sha256.Size]byte, snapshots []*Document) Judging {
	h := sha256.New()
	h.Write(program[:])
	byDigest := func(a, b *Document) int { return bytes.Compare(a.Digest[:], b.Digest[:]) }
	for _, d := range slices.SortedFunc(slices.Values(snapshots), byDigest) {
		h.Write(d.Digest[:])
	}
	return Judging(h.Sum(nil))
}

// digest identifies the facts of a reading and what it holds whole.
func (r *Reading) digest() []byte {
	sorted := slices.SortedStableFunc(slices.Values(r.Facts), func(a, b Fact) int { // of two of one name the last counts
		return cmp.Or(strings.Compare(a.Element, b.Element), strings.Compare(a.Attribute, b.Attribute), cmp.Compare(a.Layer, b.Layer))
	})
	text := binary.AppendVarint(nil, r.Lists)
	for _, f := range sorted {
		for _, word := range []string{f.Element, f.Attribute, f.Value} {
			text = binary.AppendUvarint(text, uint64(len(word)))
			text = append(text, word...)
		}
		text = binary.AppendVarint(binary.AppendVarint(text, int64(f.Layer)), f.Listing)
	}
	sum := sha256.Sum256(text)
	return sum[:]
}

// entry is a snapshot as its table has it.
type entry struct {
	host     int64
	at       int64 // 0: there is none
	digest   []byte
	lists    int64
	problem  string
	document int64 // number of the blob; 0: pruned
	judging  int64 // 0: not known
	facts    []byte
}

const entryColumns = "host, taken, digest, lists, problem, coalesce(document, 0), coalesce(judging, 0), facts"

func (x *entry) places() []any {
	return []any{&x.host, &x.at, &x.digest, &x.lists, &x.problem, &x.document, &x.judging, &x.facts}
}

// last gives the latest snapshot of a host.
func (s *database) last(ctx context.Context, q querier, host int64) (x entry, err error) {
	_, err = s.one(ctx, q, x.places(), "SELECT "+entryColumns+" FROM snapshot WHERE host = ? ORDER BY taken DESC LIMIT 1", host)
	return x, err
}

// keep writes a snapshot.
func (w *Sweep) keep(ctx context.Context, tx *transaction, x entry) error {
	number := sql.NullInt64{Int64: x.judging, Valid: x.judging != 0}
	err := w.s.exec(ctx, tx, `INSERT INTO snapshot (host, taken, sweep, digest, lists, problem, document, judging, facts)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, x.host, x.at, w.id, x.digest, x.lists, stored(x.problem), x.document, number, x.facts)
	if err != nil {
		return err
	}
	return w.s.exec(ctx, tx, `UPDATE host SET first_taken = CASE WHEN first_taken = 0 OR first_taken > ? THEN ? ELSE first_taken END,
		problem = CASE WHEN last_taken < ? THEN ? ELSE problem END, last_taken = CASE WHEN last_taken < ? THEN ? ELSE last_taken END,
		snapshots = snapshots + 1 WHERE id = ?`, x.at, x.at, x.at, stored(x.problem), x.at, x.at, x.host)
}

// judging gives the number of a judging; 0: it is not known.
func (s *database) judging(ctx context.Context, tx *transaction, j Judging) (id int64, err error) {
	if j == (Judging{}) {
		return 0, nil
	}
	err = s.exec(ctx, tx, "INSERT INTO judging (digest) VALUES (?) ON CONFLICT DO NOTHING", j[:])
	if err == nil {
		_, err = s.one(ctx, tx, []any{&id}, "SELECT id FROM judging WHERE digest = ?", j[:])
	}
	return id, err
}

// Known says whether the history has a snapshot of this host and time with this digest.
func (s *Store) Known(ctx context.Context, m *collect.Manifest, digest Digest) (bool, error) {
	var had []byte
	there, err := s.one(ctx, s.db, []any{&had},
		"SELECT s.digest FROM snapshot s JOIN host h ON h.id = s.host WHERE h.name = ? AND s.taken = ?", stored(m.Host), stamp(m.Started))
	return there && bytes.Equal(had, digest[:]), s.explain(err)
}

// Repeat adds snapshots of which each says what the last one of its host says, and that were
// judged in the same company then: facts and findings hold on, and none is read. Otherwise
// it adds nothing, and says so.
func (w *Sweep) Repeat(ctx context.Context, manifests []*collect.Manifest, documents []*Document, j Judging) (bool, error) {
	var number int64
	there, err := w.s.one(ctx, w.s.db, []any{&number}, "SELECT id FROM judging WHERE digest = ?", j[:])
	if err != nil || !there {
		return false, w.s.explain(err)
	}
	before := w.Added
	err = w.s.within(ctx, func(tx *transaction) error {
		for i, m := range manifests {
			err := w.repeat(ctx, tx, m, documents[i].Digest, number)
			if err != nil {
				return fmt.Errorf("snapshot of %s: %w", m.Host, err)
			}
		}
		return nil
	})
	if err != nil {
		w.Added = before
	}
	if errors.Is(err, errAnother) {
		return false, nil
	}
	return err == nil, err
}

// errAnother is when a host does not say what it said last.
var errAnother = errors.New("not the same as the last one")

// repeat adds a snapshot that says what the last one of its host says.
func (w *Sweep) repeat(ctx context.Context, tx *transaction, m *collect.Manifest, digest Digest, judging int64) error {
	err := plausible(m)
	if err != nil {
		return err
	}
	host, err := w.s.host(ctx, tx, m.Host)
	if err != nil {
		return err
	}
	x, err := w.s.last(ctx, tx, host)
	at := stamp(m.Started)
	switch {
	case err != nil:
		return err
	case x.at > at || x.judging != judging || !bytes.Equal(x.digest, digest[:]):
		return errAnother
	case x.at == at:
		w.Added.Known++
		return nil
	}
	x.at = at
	w.Added.New++
	return w.keep(ctx, tx, x)
}
