package nfnl

import (
	"encoding/binary"
	"testing"

	"golang.org/x/sys/unix"
)

// element is a set element as the kernel dumps it.
func element(length uint32, frames, bytes uint64) []byte {
	be64 := func(kind uint16, v uint64) []byte { return Attr(kind, binary.BigEndian.AppendUint64(nil, v)) }
	return append([]byte{familyNetdev, 0, 0, 0}, Nested(unix.NFTA_SET_ELEM_LIST_ELEMENTS, Nested(unix.NFTA_LIST_ELEM,
		Nested(unix.NFTA_SET_ELEM_KEY, Be32(unix.NFTA_DATA_VALUE, length)),
		Nested(unix.NFTA_SET_ELEM_EXPR, Text(unix.NFTA_EXPR_NAME, "counter"),
			Nested(unix.NFTA_EXPR_DATA, be64(unix.NFTA_COUNTER_BYTES, bytes), be64(unix.NFTA_COUNTER_PACKETS, frames)))))...)
}

func TestElements(t *testing.T) {
	got := elements(element(65212, 7, 456484))
	if len(got) != 1 || binary.BigEndian.Uint32(got[0].Key) != 65212 || got[0].Packets != 7 || got[0].Bytes != 456484 {
		t.Errorf("got %v, want 7 frames of 65212 bytes", got)
	}
}

func FuzzElements(f *testing.F) {
	whole := element(65212, 7, 456484)
	f.Add(whole)
	f.Add(whole[:len(whole)-5])
	f.Fuzz(func(t *testing.T, body []byte) {
		if n := len(elements(body)); n > len(body) {
			t.Errorf("got %d elements of %d bytes", n, len(body))
		}
	})
}
