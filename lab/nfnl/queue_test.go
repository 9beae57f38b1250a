package nfnl

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// told is a message of the kernel on a packet that waits.
func told(id, from, to uint32, at time.Time) []byte {
	stamp := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(at.Unix())), uint64(at.Nanosecond()/1000))
	return message(queuePacket, 0, 0, familyBridge, 1, join(
		Attr(1, binary.BigEndian.AppendUint32(nil, id)), Be32(5, 99), Be32(7, from), Be32(8, to), Attr(4, stamp)))
}

func TestHeld(t *testing.T) {
	at := time.Unix(1700000000, 123456000)
	got, ok := held(told(7, 3, 4, at))
	if diff := cmp.Diff(Held{ID: 7, From: 3, To: 4, Arrived: at}, got); diff != "" || !ok {
		t.Errorf("ok %v (-want +got):\n%s", ok, diff)
	}
	if _, ok := held(message(queueConfig, 0, 0, 0, 1, nil)); ok {
		t.Error("an acknowledgement passes for a packet")
	}
}

func FuzzHeld(f *testing.F) {
	whole := told(7, 3, 4, time.Unix(1700000000, 0))
	f.Add(whole)
	f.Add(whole[:len(whole)-9])
	f.Add(whole[:18])
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, ok := held(b); !ok && h.ID != 0 {
			t.Errorf("got number %d of what is no packet", h.ID)
		}
	})
}
