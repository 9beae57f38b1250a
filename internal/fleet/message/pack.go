package message

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
)

// Pack names a packed snapshot and its chunks.
type Pack struct {
	Digest string   `json:"digest"` // SHA-256, hexadecimal
	Size   int64    `json:"size"`   // bytes
	Chunks []string `json:"chunks"` // digests, in order
}

// Bounds of what a pack may hold.
const (
	maxFiles    = 50_000
	maxUnpacked = 512 << 20
)

// Digest is how a pack or a chunk is named.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Seal packs the files of a snapshot's folder: a compressed archive, the same for the
// same files.
func Seal(dir string) ([]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	var out bytes.Buffer
	packer, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	archive := tar.NewWriter(packer)
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("pack: %w", err)
		}
		err = archive.WriteHeader(&tar.Header{Name: e.Name(), Size: int64(len(text)), Mode: 0o600, Format: tar.FormatPAX})
		if err == nil {
			_, err = archive.Write(text)
		}
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", e.Name(), err)
		}
	}
	err = archive.Close()
	if err == nil {
		err = packer.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	if out.Len() > MaxPack {
		return nil, fmt.Errorf("pack: %d MiB, more than the limit of %d MiB", out.Len()>>20, MaxPack>>20)
	}
	return out.Bytes(), nil
}

// Unseal writes the files of a pack into an empty folder. Whoever made it may be
// hostile: names, sizes and numbers are bounded.
func Unseal(pack []byte, dir string) error {
	opener, err := zstd.NewReader(bytes.NewReader(pack), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	defer opener.Close()
	archive := tar.NewReader(io.LimitReader(opener, maxUnpacked))
	seen := map[string]bool{}
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("pack: %w", err)
		}
		switch {
		case h.Typeflag != tar.TypeReg || h.Name == "." || !filepath.IsLocal(h.Name) || strings.ContainsAny(h.Name, "/\\\x00"):
			return fmt.Errorf("pack: %.80q: expected plain files", h.Name)
		case seen[h.Name]:
			return fmt.Errorf("pack: %.80q is in it twice", h.Name)
		case len(seen) == maxFiles:
			return fmt.Errorf("pack: more than %d files", maxFiles)
		case h.Size > maxUnpacked:
			return fmt.Errorf("pack: %.80q: %d bytes", h.Name, h.Size)
		}
		seen[h.Name] = true
		text, err := io.ReadAll(archive)
		if err != nil {
			return fmt.Errorf("pack: %.80q: %w", h.Name, err)
		}
		err = fileio.WriteUnsynced(filepath.Join(dir, h.Name), text)
		if err != nil {
			return err
		}
	}
}

// Split names a pack and cuts it into chunks.
func Split(pack []byte) (p Pack, chunks [][]byte) {
	p = Pack{Digest: Digest(pack), Size: int64(len(pack))}
	for len(pack) > 0 {
		n := min(len(pack), MaxChunk)
		chunks = append(chunks, pack[:n])
		p.Chunks = append(p.Chunks, Digest(pack[:n]))
		pack = pack[n:]
	}
	return p, chunks
}

// Join gets the chunks of a pack and puts them together. A chunk or a pack that is not
// what its digest names is an error.
func Join(p Pack, get func(digest string) ([]byte, error)) ([]byte, error) {
	if p.Size <= 0 || p.Size > MaxPack || int64(len(p.Chunks)) != (p.Size+MaxChunk-1)/MaxChunk {
		return nil, fmt.Errorf("pack of %d bytes in %d chunks: not a pack that Split names", p.Size, len(p.Chunks))
	}
	var out []byte
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
