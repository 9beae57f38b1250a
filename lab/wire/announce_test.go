package wire

import (
	"bytes"
	"testing"
)

// The frame is a reverse ARP request as its standard (RFC 903) has it.
func TestAnnouncement(t *testing.T) {
	f, err := announcement("32:43:01:02:03:04")
	if err != nil {
		t.Fatal(err)
	}
	mac := []byte{0x32, 0x43, 1, 2, 3, 4}
	want := bytes.Join([][]byte{bytes.Repeat([]byte{0xff}, 6), mac, {0x80, 0x35, 0, 1, 8, 0, 6, 4, 0, 3}, mac, {0, 0, 0, 0}, mac,
		{0, 0, 0, 0}}, nil)
	if len(f) != 60 || !bytes.Equal(f[:len(want)], want) {
		t.Errorf("got % x, want % x and zeros up to 60 bytes", f, want)
	}
	for _, bad := range []string{"", "32:43", "00:00:00:00:fe:80:00:00"} {
		if _, err := announcement(bad); err == nil {
			t.Errorf("%q: got success", bad)
		}
	}
}
