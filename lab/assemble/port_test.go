package assemble_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A machine outside the lab is one more partition: what it writes to its port arrives,
// and what is answered can be read.
func TestPort(t *testing.T) {
	t.Parallel()
	l := up(t, "two-systems")
	for _, x := range []struct {
		system string
		vlan   int
		want   string
	}{{"nosuch", 1, "no such managed system"}, {"cec1", 99, "no VLAN 99"}} {
		if _, err := l.Port(t.Context(), x.system, x.vlan); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s:%d: got %v, want %q", x.system, x.vlan, err, x.want)
		}
	}
	port, err := l.Port(t.Context(), "cec1", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	fd, err := unix.Dup(int(port.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.SetNonblock(fd, true); err != nil { // for the deadline
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "port")
	defer f.Close()
	const offload = 10 // the header before each frame
	self, asked := []byte{0x52, 0x54, 0, 0, 0, 0x99}, []byte{10, 10, 10, 11}
	ask := slices.Concat(make([]byte, offload), bytes.Repeat([]byte{0xff}, 6), self, []byte{8, 6},
		[]byte{0, 1, 8, 0, 6, 4, 0, 1}, self, []byte{10, 10, 10, 99}, make([]byte, 6), asked)
	if _, err := f.Write(ask); err != nil {
		t.Fatal(err)
	}
	if err := f.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 1<<16)
	for {
		n, err := f.Read(b)
		if err != nil {
			t.Fatalf("no answer of lpar1 to the ARP request: %v", err)
		}
		if n < offload+42 {
			continue
		}
		frame := b[offload:n]
		if bytes.Equal(frame[:6], self) && bytes.Equal(frame[12:14], []byte{8, 6}) && frame[21] == 2 && bytes.Equal(frame[28:32], asked) {
			return
		}
	}
}
