package largesend

import (
	"encoding/binary"
	"testing"

	"golang.org/x/sys/unix"
)

// element is a set element as the kernel dumps it.
func element(length uint32, frames, bytes uint64) []byte {
	be64 := func(kind uint16, v uint64) []byte { return attr(kind, binary.BigEndian.AppendUint64(nil, v)) }
	return append([]byte{familyNetdev, 0, 0, 0}, nested(unix.NFTA_SET_ELEM_LIST_ELEMENTS, nested(unix.NFTA_LIST_ELEM,
		nested(unix.NFTA_SET_ELEM_KEY, be32(unix.NFTA_DATA_VALUE, length)),
		nested(unix.NFTA_SET_ELEM_EXPR, text(unix.NFTA_EXPR_NAME, "counter"),
			nested(unix.NFTA_EXPR_DATA, be64(unix.NFTA_COUNTER_BYTES, bytes), be64(unix.NFTA_COUNTER_PACKETS, frames)))))...)
}

func TestElements(t *testing.T) {
	got := elements(element(65212, 7, 456484))
	if want := (Size{65212, 7, 456484}); len(got) != 1 || got[0] != want {
		t.Errorf("got %v, want %v", got, want)
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
