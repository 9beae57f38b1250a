package archive

import (
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

var errWindow = errors.New("packed by zstd with a window of more than 64 MiB: unpack it first")

// openZstd unpacks frames of zstd. A frame says how much memory it needs: one that wants more than maxDictionary is
// refused. It works in the caller's goroutine, so nothing is left running where a walk ends early.
func openZstd(r io.Reader) (io.Reader, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxDictionary), zstd.WithDecodeBuffersBelow(0))
	if err != nil {
		return nil, err
	}
	return zstdReader{d}, nil
}

// zstdReader names the limit that a frame exceeds.
type zstdReader struct{ d *zstd.Decoder }

// Read gives what was packed.
func (z zstdReader) Read(p []byte) (int, error) {
	n, err := z.d.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		err = errWindow
	}
	return n, err
}
