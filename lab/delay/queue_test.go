package delay

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// packetMessage is a message of the kernel on a packet that waits.
func packetMessage(t testing.TB, kind uint16, id uint32, on way, at time.Time) []byte {
	t.Helper()
	a := netlink.NewAttributeEncoder()
	a.ByteOrder = binary.BigEndian
	a.Bytes(1, binary.BigEndian.AppendUint32(nil, id))
	a.Uint32(5, 99)
	a.Uint32(7, on.from)
	a.Uint32(8, on.to)
	a.Bytes(4, binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(at.Unix())), uint64(at.Nanosecond()/1000)))
	body, err := a.Encode()
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, unix.SizeofNlMsghdr+4)
	binary.NativeEndian.PutUint32(b, uint32(len(b)+len(body)))
	binary.NativeEndian.PutUint16(b[4:], kind)
	return append(b, body...)
}

func TestParseHeld(t *testing.T) {
	at := time.Unix(1700000000, 123456000)
	got, ok := parseHeld(packetMessage(t, queuePacket, 7, way{3, 4}, at))
	if want := (held{id: 7, way: way{3, 4}, arrived: at}); !ok || got != want {
		t.Errorf("got %+v, %v, want %+v", got, ok, want)
	}
	if _, ok := parseHeld(packetMessage(t, queueConfig, 7, way{}, at)); ok {
		t.Error("an acknowledgement passes for a packet")
	}
}

func FuzzParseHeld(f *testing.F) {
	whole := packetMessage(f, queuePacket, 7, way{3, 4}, time.Unix(1700000000, 0))
	f.Add(whole)
	f.Add(whole[:len(whole)-9])
	f.Add(whole[:18])
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, ok := parseHeld(b); !ok && h.id != 0 {
			t.Errorf("got number %d of what is not a packet", h.id)
		}
	})
}

func TestQueueLosses(t *testing.T) {
	const two = "    1  14418     3 1     0    17     4     3501  1\n    2   9000     0 1     0     0     0        9  1\n"
	for _, x := range []struct {
		text   string
		number uint16
		want   uint64
		ok     bool
	}{
		{two, 1, 21, true}, {two, 2, 0, true}, {two, 3, 0, false}, {"", 1, 0, false},
		{"1 2 3\n", 1, 0, false}, {"1 0 0 1 0 many 0 9 1\n", 1, 0, false},
	} {
		got, err := QueueLosses([]byte(x.text), x.number)
		if got != x.want || (err == nil) != x.ok {
			t.Errorf("queue %d of %q: got %d, %v, want %d", x.number, x.text, got, err, x.want)
		}
	}
}

func FuzzQueueLosses(f *testing.F) {
	f.Add([]byte("    1  14418     3 1     0    17     4     3501  1\n"))
	f.Add([]byte("1 1 1 1 1 99999999999 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if n, err := QueueLosses(text, 1); err != nil && n != 0 {
			t.Errorf("got %d with error %v", n, err)
		}
	})
}
