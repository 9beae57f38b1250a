package history

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
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

// Document is what a snapshot says without its times, ready to be kept: made once, and compared
// with what the history has.
type Document struct {
	Digest Digest

	text  []byte                // JSON of a document
	files map[[32]byte]readFile // by digest
}

// readFile reads a file of a snapshot.
type readFile func() ([]byte, error)

// NewDocument reads the files of a snapshot, and keeps their digests.
func NewDocument(snapshot *collect.Snapshot) (*Document, error) {
	m := snapshot.Manifest
	m.Started, m.Finished = time.Time{}, time.Time{}
	m.Commands = append([]collect.Record(nil), m.Commands...)
	d := document{Manifest: m, Files: map[string]string{}}
	out := &Document{files: map[[32]byte]readFile{}}
	for i := range m.Commands {
		r := &m.Commands[i]
		was := &snapshot.Manifest.Commands[i]
		for name, read := range map[string]readFile{
			r.Stdout: func() ([]byte, error) { return snapshot.Text(was) },
			r.Stderr: func() ([]byte, error) { return snapshot.Stderr(was) },
		} {
			text, err := read()
			if err != nil {
				return nil, err
			}
			if name != "" {
				sum := sha256.Sum256(text)
				d.Files[name], out.files[sum] = hex.EncodeToString(sum[:]), read
			}
		}
		r.Start, r.DurationMS = time.Time{}, 0
	}
	var err error
	out.text, err = json.Marshal(d)
	out.Digest = sha256.Sum256(out.text)
	return out, err
}

// blobs are raw texts, compressed, by their SHA-256.
type blobs struct {
	*database

	packer *zstd.Encoder
	opener *zstd.Decoder
}

// putBlobs keeps those of texts that the history does not have.
func (s *blobs) putBlobs(ctx context.Context, q querier, texts map[[32]byte]readFile) error {
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
	for sum, read := range texts {
		if there[sum] {
			continue
		}
		text, err := read()
		if err == nil && sha256.Sum256(text) != sum {
			err = errors.New("an output changed while it was read")
		}
		if err != nil {
			return err
		}
		err = s.exec(ctx, q, "INSERT INTO blob (sha256, data) VALUES (?, ?) ON CONFLICT DO NOTHING", sum[:], s.packer.EncodeAll(text, nil))
		if err != nil {
			return err
		}
	}
	return nil
}

// putBlob keeps a text and gives its number.
func (s *blobs) putBlob(ctx context.Context, q querier, text []byte) (id int64, err error) {
	sum := sha256.Sum256(text)
	err = s.putBlobs(ctx, q, map[[32]byte]readFile{sum: func() ([]byte, error) { return text, nil }})
	if err != nil {
		return 0, err
	}
	_, err = s.one(ctx, q, []any{&id}, "SELECT id FROM blob WHERE sha256 = ?", sum[:])
	return id, err
}

// putDocument keeps a snapshot with its raw texts, and gives its number.
func (s *blobs) putDocument(ctx context.Context, q querier, doc *Document) (int64, error) {
	err := s.putBlobs(ctx, q, doc.files)
	if err != nil {
		return 0, err
	}
	return s.putBlob(ctx, q, doc.text)
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
