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

	group  [maxWidth + 2]byte // eight codes, and what a code's three bytes may reach over
	bits   uint               // bits of the group that hold codes
	offset uint               // bits of the group that were read

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
	d := &reader{src: src, block: head[2]&blockMode != 0, limit: width}
	for i := range 256 {
		d.suffix[i] = byte(i)
	}
	d.reset()
	return d, nil
}

func (d *reader) reset() {
	d.width, d.last = minWidth, -1
	d.next = 256
	if d.block {
		d.next = clearCode + 1
	}
	d.bits, d.offset = 0, 0
}

// code reads the next code.
func (d *reader) code() (int, error) {
	// The widest code of this width is in the table: the next one is wider.
	if d.next > 1<<d.width-1 && d.width < d.limit {
		d.width++
		d.bits, d.offset = 0, 0
	}
	if d.offset+d.width > d.bits {
		n, err := io.ReadFull(d.src, d.group[:d.width])
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
		d.bits, d.offset = uint(n)*8, 0
		if d.bits < d.width {
			return 0, io.EOF
		}
	}
	at := d.offset / 8
	three := uint(d.group[at]) | uint(d.group[at+1])<<8 | uint(d.group[at+2])<<16
	c := three >> (d.offset % 8) & (1<<d.width - 1)
	d.offset += d.width
	return int(c), nil
}

// step decodes one code onto the stack.
func (d *reader) step() error {
	c, err := d.code()
	if err != nil {
		return err
	}
	if c == clearCode && d.block {
		d.reset()
		return nil
	}
	if d.last < 0 {
		if c > 255 {
			return ErrCorrupt
		}
		d.last, d.first = c, byte(c)
		d.stack = append(d.stack, d.first)
		return nil
	}
	at := c
	switch {
	case c == d.next && d.next < 1<<d.limit: // the sequence that this very step adds
		d.stack = append(d.stack, d.first)
		at = d.last
	case c >= d.next:
		return ErrCorrupt
	}
	for at > 255 {
		d.stack = append(d.stack, d.suffix[at])
		at = int(d.prefix[at])
	}
	d.first = byte(at)
	d.stack = append(d.stack, d.first)
	if d.next < 1<<d.limit {
		d.prefix[d.next], d.suffix[d.next] = uint16(d.last), d.first
		d.next++
	}
	d.last = c
	return nil
}

// Read implements io.Reader.
func (d *reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if k := len(d.stack); k > 0 {
			p[n] = d.stack[k-1]
			d.stack = d.stack[:k-1]
			n++
			continue
		}
		if d.err == nil {
			d.err = d.step()
		}
		if d.err != nil {
			break
		}
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, d.err
}
