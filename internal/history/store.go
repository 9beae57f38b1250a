package history

import (
	"context"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Store is an open history. It is used by one goroutine.
type Store struct {
	*database
	*texts
	*blobs
}

// maxRaw bounds one raw output that is read back, in bytes: none that collect keeps is longer.
const maxRaw = 256 << 20

// Open opens a history: sqlite:FILE or postgres://USER@HOST/DATABASE. Its tables are made
// or brought up to date; tell is called before. A schema of a newer version gives ErrNewer.
func Open(ctx context.Context, location string, tell func(line string)) (*Store, error) {
	db, d, shown, err := connect(location)
	if err != nil {
		return nil, fmt.Errorf("history %s: %w", shown, err)
	}
	base := &database{db: db, dialect: d, shown: shown}
	s := &Store{base, &texts{base, map[string]int64{}}, &blobs{database: base}}
	if d.name == sqliteDialect.name {
		db.SetMaxOpenConns(1)
	}
	s.packer, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err == nil {
		s.opener, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxRaw))
	}
	if err == nil {
		err = s.migrate(ctx, tell)
	}
	if err != nil {
		s.Close()
		return nil, s.explain(err)
	}
	return s, nil
}

// Close ends the use of a history.
func (s *Store) Close() error {
	if s.opener != nil {
		s.opener.Close()
	}
	return s.db.Close()
}

// Name is the URL of the history as it may be printed.
func (s *Store) Name() string { return s.shown }

// Layer says when a fact holds.
type Layer int

// The layers of a fact. What nobody sets, as a link's state, is running.
const (
	Running Layer = iota
	NextBoot
	Default
	Finding // a rule's verdict; the attribute is its id
)

var layerNames = [...]string{Running: "running", NextBoot: "next boot", Default: "default", Finding: "finding"}

// String is the name of a layer.
func (l Layer) String() string {
	if l < 0 || int(l) >= len(layerNames) {
		return fmt.Sprintf("layer %d", int(l))
	}
	return layerNames[l]
}

// MarshalText writes its name.
func (l Layer) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Listings are what a snapshot holds whole, as bits: a fact of a listing that is not in
// the snapshot is gone, and not merely unread.
const (
	ListsElements int64 = 1 << iota
	ListsRoutes
	ListsFindings
)

// stamp is a time as the database keeps it: nanoseconds since 1970, 0 for none.
func stamp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// moment is the time of a stamp.
func moment(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}
