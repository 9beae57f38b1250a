package history

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"

	"seaworthy/internal/collect"
)

// document is a snapshot as it is kept: its manifest without times, and the digests of
// its files. Two snapshots in which a host printed the same have the same document.
type document struct {
	Manifest collect.Manifest  `json:"manifest"`
	Files    map[string]string `json:"files"` // name → SHA-256 in hexadecimal
}

// newDocument reads the files of a snapshot. texts are they, by digest.
func newDocument(snapshot *collect.Snapshot) (doc []byte, texts map[[32]byte][]byte, err error) {
	m := snapshot.Manifest
	m.Started, m.Finished = time.Time{}, time.Time{}
	m.Commands = append([]collect.Record(nil), m.Commands...)
	d := document{Manifest: m, Files: map[string]string{}}
	texts = map[[32]byte][]byte{}
	keep := func(name string, text []byte) {
		if name != "" {
			sum := sha256.Sum256(text)
			d.Files[name], texts[sum] = hex.EncodeToString(sum[:]), text
		}
	}
	for i := range m.Commands {
		r := &m.Commands[i]
		out, err := snapshot.Text(r)
		if err != nil {
			return nil, nil, err
		}
		errs, err := snapshot.Stderr(r)
		if err != nil {
			return nil, nil, err
		}
		keep(r.Stdout, out)
		keep(r.Stderr, errs)
		r.Start, r.DurationMS = time.Time{}, 0
	}
	doc, err = json.Marshal(d)
	return doc, texts, err
}

// blobs are raw texts, compressed, by their SHA-256.
type blobs struct {
	*database

	packer *zstd.Encoder
	opener *zstd.Decoder
}

// putBlobs keeps those of texts that the history does not have.
func (s *blobs) putBlobs(ctx context.Context, q querier, texts map[[32]byte][]byte) error {
	var sums []any
	for sum := range texts {
		sums = append(sums, sum[:])
	}
	there := map[[32]byte]bool{}
	for len(sums) > 0 {
		some := sums[:min(len(sums), 500)]
		sums = sums[len(some):]
		rows, err := s.query(ctx, q, "SELECT sha256 FROM blob WHERE sha256 IN ("+places(len(some))+")", some...)
		var sum []byte
		err = each(rows, err, func() error {
			err := rows.Scan(&sum)
			if len(sum) == sha256.Size {
				there[[32]byte(sum)] = true
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	for sum, text := range texts {
		if there[sum] {
			continue
		}
		err := s.exec(ctx, q, "INSERT INTO blob (sha256, data) VALUES (?, ?) ON CONFLICT DO NOTHING", sum[:], s.packer.EncodeAll(text, nil))
		if err != nil {
			return err
		}
	}
	return nil
}

// putBlob keeps a text and gives its number.
func (s *blobs) putBlob(ctx context.Context, q querier, text []byte) (id int64, err error) {
	sum := sha256.Sum256(text)
	err = s.putBlobs(ctx, q, map[[32]byte][]byte{sum: text})
	if err != nil {
		return 0, err
	}
	_, err = s.one(ctx, q, []any{&id}, "SELECT id FROM blob WHERE sha256 = ?", sum[:])
	return id, err
}

// putDocument keeps a snapshot with its raw texts, and gives its number.
func (s *blobs) putDocument(ctx context.Context, q querier, doc []byte, texts map[[32]byte][]byte) (int64, error) {
	err := s.putBlobs(ctx, q, texts)
	if err != nil {
		return 0, err
	}
	return s.putBlob(ctx, q, doc)
}

// unpack gives a text back, if it is the one of the digest.
func (s *blobs) unpack(sum []byte, data []byte) ([]byte, error) {
	text, err := s.opener.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("raw text %x: damaged: %w", sum, err)
	}
	if got := sha256.Sum256(text); string(got[:]) != string(sum) {
		return nil, fmt.Errorf("raw text %x: damaged: its digest is %x", sum, got)
	}
	return text, nil
}
