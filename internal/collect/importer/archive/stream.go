package archive

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"strings"

	"seaworthy/internal/collect/importer/lzw"
	"seaworthy/internal/parse"
)

// ErrTooMuch is for an archive that unpacks to more than its limit.
var ErrTooMuch = errors.New("archive exceeds the size limit; rest skipped")

// budget holds what an archive may still unpack to, all its layers together.
type budget struct{ left int64 }

type metered struct {
	r io.Reader
	b *budget
}

func (m metered) Read(p []byte) (int, error) {
	if m.b.left <= 0 {
		return 0, ErrTooMuch
	}
	n, err := m.r.Read(p[:min(int64(len(p)), m.b.left)])
	m.b.left -= int64(n)
	return n, err
}

// stream finds out from its first bytes what a file is and reads it. at is the
// file itself if it is one on disk; nil inside an archive.
func (w *walker) stream(e Entry, at io.ReaderAt, b *budget, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	head := bufio.NewReaderSize(e.Text, 1024)
	first, err := head.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) && len(first) == 0 {
		return w.problem(e.Path, Reason(err))
	}
	open := opener(first)
	tar := len(first) >= 263 && string(first[257:262]) == "ustar"
	zip, cpio := bytes.HasPrefix(first, []byte("PK\x03\x04")), cpioHead.Match(first)
	switch {
	case open == nil && mailHead.Match(first):
		return w.mail(e, head, b, depth)
	case open == nil && !tar && !zip && !cpio:
		e.Text = head
		return w.visit.Entry(e)
	case depth >= w.limits.Depth:
		return w.problem(e.Path, "archive nested too deep; skipped")
	case cpio:
		return w.problem(e.Path, "cpio archives are not supported: unpack it and import the folder")
	case tar:
		return w.tar(e.Path, head, b, depth)
	case zip:
		return w.zip(e, head, at, b, depth)
	}
	plain, err := open(head)
	if err != nil {
		return w.problem(e.Path, Reason(err))
	}
	e.Path, e.Size = unpackedName(e.Path), -1
	e.Text = metered{plain, b}
	return w.stream(e, nil, b, depth+1)
}

// opener gives the decompressor for a file's first bytes; nil if there is none.
func opener(first []byte) func(io.Reader) (io.Reader, error) {
	switch {
	case bytes.HasPrefix(first, []byte{0x1f, 0x8b}):
		return func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }
	case bytes.HasPrefix(first, []byte{0x1f, 0x9d}):
		return lzw.NewReader
	case bytes.HasPrefix(first, []byte("\xfd7zXZ\x00")):
		return openXZ
	case bytes.HasPrefix(first, []byte("\x28\xb5\x2f\xfd")):
		return openZstd
	case bzip2Head.Match(first):
		return func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }
	}
	return nil
}

var cpioHead, bzip2Head = parse.Lazy(`^07070[1-7]`), parse.Lazy(`^BZh[1-9]1`)

// unpackedName drops the ending that a compressor added.
func unpackedName(name string) string {
	for _, ext := range []string{".gz", ".Z", ".bz2", ".z", ".xz", ".zst"} {
		if rest, ok := strings.CutSuffix(name, ext); ok && path.Base(rest) != "." && path.Base(rest) != "/" {
			return rest
		}
	}
	switch ext := path.Ext(name); ext {
	case ".tgz", ".taz", ".tbz", ".tbz2", ".txz", ".tzst":
		return strings.TrimSuffix(name, ext) + ".tar"
	}
	return name
}

// Reason is an error, also that of an Entry's Text, as a report says it.
func Reason(err error) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "cut off; what comes before was read"
	case errors.Is(err, ErrTooMuch):
		return ErrTooMuch.Error()
	case errors.Is(err, errDictionary):
		return errDictionary.Error()
	case errors.Is(err, errWindow):
		return errWindow.Error()
	}
	return err.Error()
}
