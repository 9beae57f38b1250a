package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/ulikunitz/xz"
)

// maxDictionary is the most memory that a packed text may ask for: what xz -9 does.
const maxDictionary = 64 << 20

var errDictionary = errors.New("packed by xz with a dictionary of more than 64 MiB: unpack it first")

// openXZ unpacks a single stream of xz. The library allocates what the header of a block asks for, up to 4 GiB; so the
// headers are looked at before it sees them.
func openXZ(r io.Reader) (io.Reader, error) {
	return xz.ReaderConfig{SingleStream: true}.NewReader(&blockReader{r: bufio.NewReaderSize(r, 4096), next: (*blockReader).header})
}

// blockReader passes a stream of xz on and stops at a block whose dictionary is too large. Each next looks at what comes,
// and says how many bytes of it pass before it has to look again. Format: https://tukaani.org/xz/xz-file-format.txt
type blockReader struct {
	r    *bufio.Reader
	next func(*blockReader) (int, error)
	left int // bytes that may pass

	check  int // bytes behind a block
	packed int // bytes of the block so far
}

func (b *blockReader) Read(p []byte) (int, error) {
	for b.left == 0 {
		n, err := b.next(b)
		if err != nil {
			return 0, err
		}
		b.left = n
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// header looks at the head of the stream.
func (b *blockReader) header() (int, error) {
	const size = 12
	head, err := b.r.Peek(size)
	if err != nil {
		return 0, err
	}
	// Sizes of the checks by their number: none, CRC32, CRC64, SHA-256 and reserved ones between.
	sizes := [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}
	b.check = sizes[head[7]&15]
	b.next = (*blockReader).block
	return size, nil
}

// block looks at the header of a block, or at the index behind the last one.
func (b *blockReader) block() (int, error) {
	head, err := b.r.Peek(1)
	if err != nil {
		return 0, err
	}
	if head[0] == 0 { // the index: no block follows
		b.next = (*blockReader).rest
		return 1, nil
	}
	size := (int(head[0]) + 1) * 4
	head, err = b.r.Peek(size)
	if err != nil {
		return 0, err
	}
	asked, err := dictionary(head)
	if err != nil {
		return 0, err
	}
	if asked > maxDictionary {
		return 0, errDictionary
	}
	b.packed = 0
	b.next = (*blockReader).chunk
	return size, nil
}

// chunk looks at a chunk of LZMA2.
func (b *blockReader) chunk() (int, error) {
	head, err := b.r.Peek(1)
	if err != nil {
		return 0, err
	}
	control := head[0]
	size := 1
	switch {
	case control == 0: // the last one; zeros fill it up to four bytes, then comes the check
		b.packed++
		b.next = (*blockReader).block
		return 1 + (4-b.packed%4)%4 + b.check, nil
	case control < 0x80: // not packed
		head, err = b.r.Peek(3)
		if err != nil {
			return 0, err
		}
		size = 3 + 1 + int(binary.BigEndian.Uint16(head[1:]))
	default:
		head, err = b.r.Peek(5)
		if err != nil {
			return 0, err
		}
		size = 5 + 1 + int(binary.BigEndian.Uint16(head[3:]))
		if control >= 0xc0 { // with new properties
			size++
		}
	}
	b.packed += size
	return size, nil
}

// rest passes the index and the stream's end.
func (b *blockReader) rest() (int, error) {
	_, err := b.r.Peek(1)
	return 4096, err
}

// dictionary is how large a dictionary the header of a block asks for.
func dictionary(head []byte) (int64, error) {
	const lzma2 = 0x21
	bad := errors.New("xz: damaged header of a block")
	flags, rest := head[1], head[2:]
	number := func() uint64 {
		n, length := binary.Uvarint(rest)
		if length <= 0 {
			rest = nil
			return 0
		}
		rest = rest[length:]
		return n
	}
	for _, has := range []byte{0x40, 0x80} { // sizes of the block, packed and not
		if flags&has != 0 {
			number()
		}
	}
	for range int(flags&3) + 1 {
		id, size := number(), number()
		if uint64(len(rest)) < size || len(rest) == 0 {
			return 0, bad
		}
		properties := rest[:size]
		rest = rest[size:]
		if id != lzma2 {
			continue
		}
		if size != 1 || properties[0] > 40 {
			return 0, fmt.Errorf("%w: dictionary", bad)
		}
		bits := properties[0]
		return int64(2|bits&1) << (bits/2 + 11), nil
	}
	return 0, bad
}
