// Package lzw reads what the Unix command compress wrote: files named .Z, and
// so the archives of snap -c. The standard library's compress/lzw reads the
// variants of GIF, TIFF and PDF only.
//
// The form, as the sources of compress 4 and the manual pages have it: two
// magic bytes, a byte with the greatest code width (9 to 16) and the flag for
// block mode, then codes with their lowest bits first. Codes are written in
// groups of eight; where the width changes, the rest of a group is padding.
package lzw

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

const (
	minWidth  = 9
	maxWidth  = 16
	clearCode = 256 // in block mode: forget all sequences
	blockMode = 0x80
)

// Errors of a damaged file.
var (
	ErrHeader  = errors.New("not a file of compress")
	ErrCorrupt = errors.New("damaged compressed data")
)

// reader is a decompressor. Its memory does not depend on the input: a table
// of 65,536 sequences, each one byte behind a shorter one.
type reader struct {
	src   *bufio.Reader
	block bool
	limit uint // greatest width
	width uint
	next  int // code of the next new sequence

	prefix [1 << maxWidth]uint16
	suffix [1 << maxWidth]byte

	bits, held uint // what was read of the next code, and how many bits that is
	codes      int  // read of this width

	last  int // code before; -1: none
	first byte
	stack []byte // a sequence, last byte first
	err   error
}

// NewReader reads the header and returns a reader of the plain bytes. An input
// that breaks off gives io.ErrUnexpectedEOF only inside the header: the format
// has no end mark, so what follows is simply missing.
func NewReader(r io.Reader) (io.Reader, error) {
	src := bufio.NewReader(r)
	var head [3]byte
	if _, err := io.ReadFull(src, head[:]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrHeader, err)
	}
	width := uint(head[2] & 0x1f)
	if head[0] != 0x1f || head[1] != 0x9d || width < minWidth || width > maxWidth {
		return nil, ErrHeader
	}
	d := &reader{src: src, block: head[2]&blockMode != 0, limit: width, width: minWidth, last: -1, next: 256}
	if d.block {
		d.next = clearCode + 1
	}
	for i := range 256 {
		d.suffix[i] = byte(i)
	}
	return d, nil
}

// Read implements io.Reader.
func (d *reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if k := len(d.stack); k > 0 {
			p[n], d.stack = d.stack[k-1], d.stack[:k-1]
			n++
		} else if d.err == nil {
			d.err = d.step()
		} else if n == 0 {
			return 0, d.err
		} else {
			break
		}
	}
	return n, nil
}

func (d *reader) step() error {
	if d.next > 1<<d.width-1 && d.width < d.limit { // the widest code of this width is in the table
		if err := d.widen(d.width + 1); err != nil {
			return err
		}
	}
	c, err := d.code()
	switch {
	case err != nil:
		return err
	case c == clearCode && d.block:
		d.last, d.next = -1, clearCode+1
		return d.widen(minWidth)
	case d.last < 0 && c > 255 || c > d.next || c == d.next && d.next >= 1<<d.limit:
		return ErrCorrupt
	}
	at := c
	if c == d.next { // the sequence that this very step adds
		d.stack = append(d.stack, d.first)
		at = d.last
	}
	for ; at > 255; at = int(d.prefix[at]) {
		d.stack = append(d.stack, d.suffix[at])
	}
	d.first = byte(at)
	d.stack = append(d.stack, d.first)
	if d.last >= 0 && d.next < 1<<d.limit {
		d.prefix[d.next], d.suffix[d.next] = uint16(d.last), d.first
		d.next++
	}
	d.last = c
	return nil
}

// widen sets another width, behind the padding of the last group.
func (d *reader) widen(width uint) error {
	for d.codes%8 != 0 {
		if _, err := d.code(); err != nil {
			return err
		}
	}
	d.width, d.codes = width, 0
	return nil
}

func (d *reader) code() (int, error) {
	for d.held < d.width {
		b, err := d.src.ReadByte()
		if err != nil {
			return 0, err
		}
		d.bits |= uint(b) << d.held
		d.held += 8
	}
	c := d.bits & (1<<d.width - 1)
	d.bits >>= d.width
	d.held -= d.width
	d.codes++
	return int(c), nil
}
