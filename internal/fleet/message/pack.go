package message

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"seaworthy/internal/base/decode"
)

// Pack names a packed snapshot and its chunks.
type Pack struct {
	Digest   string   `json:"digest"`   // SHA-256, hexadecimal
	Size     int64    `json:"size"`     // bytes
	Unpacked int64    `json:"unpacked"` // bytes of the archive in it
	Chunks   []string `json:"chunks"`   // digests, in order; none: the pack is in its result's own message
}

// Bounds of what a pack may hold.
const (
	maxFiles    = 50_000
	MaxUnpacked = 256 << 20
)

// Digest is how a pack or a chunk is named.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Packer packs snapshots. It is safe for concurrent use.
type Packer struct{ zstd *zstd.Encoder }

// NewPacker makes a packer.
func NewPacker() (*Packer, error) {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	return &Packer{packer}, nil
}

// Seal packs the files of a snapshot by their names: a compressed archive, the same for the
// same files. unpacked is its size before compression.
func (p *Packer) Seal(files map[string][]byte) (pack []byte, unpacked int64, err error) {
	var plain bytes.Buffer
	archive := tar.NewWriter(&plain)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := archive.WriteHeader(&tar.Header{Name: name, Size: int64(len(files[name])), Mode: 0o600, Format: tar.FormatPAX})
		if err == nil {
			_, err = archive.Write(files[name])
		}
		if err != nil {
			return nil, 0, fmt.Errorf("pack %s: %w", name, err)
		}
	}
	err = archive.Close()
	if err != nil {
		return nil, 0, fmt.Errorf("pack: %w", err)
	}
	if plain.Len() > MaxUnpacked {
		return nil, 0, fmt.Errorf("pack: %d MiB of outputs, more than the limit of %d MiB", plain.Len()>>20, MaxUnpacked>>20)
	}
	pack = p.zstd.EncodeAll(plain.Bytes(), nil)
	if len(pack) > MaxPack {
		return nil, 0, fmt.Errorf("pack: %d MiB, more than the limit of %d MiB", len(pack)>>20, MaxPack>>20)
	}
	return pack, int64(plain.Len()), nil
}

// Unpacker unpacks snapshots, one at a time.
type Unpacker struct{ zstd *zstd.Decoder }

// NewUnpacker makes an unpacker.
func NewUnpacker() (*Unpacker, error) {
	opener, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	return &Unpacker{opener}, nil
}

// Close ends its use.
func (u *Unpacker) Close() { u.zstd.Close() }

// Unseal gives the files of a pack whose archive has so many bytes. Its maker may be hostile:
// names, sizes and numbers are bounded.
func (u *Unpacker) Unseal(pack []byte, unpacked int64) (map[string][]byte, error) {
	if unpacked <= 0 || unpacked > MaxUnpacked {
		return nil, fmt.Errorf("pack of %d bytes unpacked: expected up to %d", unpacked, MaxUnpacked)
	}
	err := u.zstd.Reset(bytes.NewReader(pack))
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	archive := tar.NewReader(io.LimitReader(u.zstd, unpacked))
	files := map[string][]byte{}
	for left := unpacked; ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, fmt.Errorf("pack: %w", err)
		}
		_, twice := files[h.Name]
		switch {
		case h.Typeflag != tar.TypeReg || h.Name == "." || !filepath.IsLocal(h.Name) || strings.ContainsAny(h.Name, "/\\\x00"):
			return nil, fmt.Errorf("pack: %.80q: expected plain files", h.Name)
		case twice:
			return nil, fmt.Errorf("pack: %.80q is in it twice", h.Name)
		case len(files) == maxFiles:
			return nil, fmt.Errorf("pack: more than %d files", maxFiles)
		case h.Size > left:
			return nil, fmt.Errorf("pack: %.80q: %d bytes, more than the archive has", h.Name, h.Size)
		}
		left -= h.Size
		text := make([]byte, h.Size)
		_, err = io.ReadFull(archive, text)
		if err != nil {
			return nil, fmt.Errorf("pack: %.80q: %w", h.Name, err)
		}
		files[h.Name] = text
	}
}

// Split names a pack and cuts it into chunks; a small one is not cut: it travels with its result.
func Split(pack []byte, unpacked int64) (p Pack, chunks [][]byte) {
	p = Pack{Digest: Digest(pack), Size: int64(len(pack)), Unpacked: unpacked}
	if len(pack) <= MaxInline {
		return p, nil
	}
	for len(pack) > 0 {
		n := min(len(pack), MaxChunk)
		chunks = append(chunks, pack[:n])
		p.Chunks = append(p.Chunks, Digest(pack[:n]))
		pack = pack[n:]
	}
	return p, chunks
}

// Join gives a pack: the one that came with its result, or its chunks put together. A chunk
// or a pack that is not what its digest names is an error.
func Join(p Pack, inline []byte, get func(digest string) ([]byte, error)) ([]byte, error) {
	out := inline
	switch {
	case len(p.Chunks) == 0 && p.Size > MaxInline, p.Size <= 0, p.Size > MaxPack,
		len(p.Chunks) > 0 && int64(len(p.Chunks)) != (p.Size+MaxChunk-1)/MaxChunk, len(p.Chunks) > 0 && len(inline) > 0:
		return nil, fmt.Errorf("pack of %d bytes in %d chunks: not a pack that Split names", p.Size, len(p.Chunks))
	}
	for _, digest := range p.Chunks {
		chunk, err := get(digest)
		if err != nil {
			return nil, err
		}
		if Digest(chunk) != digest {
			return nil, fmt.Errorf("chunk %.16s holds something else", digest)
		}
		out = append(out, chunk...)
	}
	if int64(len(out)) != p.Size || Digest(out) != p.Digest {
		return nil, fmt.Errorf("pack %.16s holds something else", p.Digest)
	}
	return out, nil
}

// WriteResult is a result as a message: a line of JSON, and its pack where that is a small one.
func WriteResult(r Result, inline []byte) ([]byte, error) {
	head, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("result of %s: %w", r.Host, err)
	}
	return slices.Concat(head, []byte("\n"), inline), nil
}

// ParseResult reads what WriteResult wrote. Whether the pack is the one that the result
// names is not looked at: Join does.
func ParseResult(data []byte) (r Result, inline []byte, err error) {
	head, inline, _ := bytes.Cut(data, []byte("\n"))
	r, err = Parse[Result]("result", head)
	return r, inline, err
}

// ValidDigest reports whether a text is a digest and so one word of a subject.
func ValidDigest(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == sha256.Size && strings.ToLower(text) == text
}

// Parse decodes a message of at most MaxMessage bytes.
func Parse[T any](what string, data []byte) (T, error) {
	var out T
	if len(data) > MaxMessage {
		return out, fmt.Errorf("%s: %d bytes, more than the limit of %d", what, len(data), MaxMessage)
	}
	err := decode.JSON(what, data, &out, decode.Newer)
	return out, err
}
