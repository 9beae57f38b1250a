package lzw

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"seaworthy/internal/test/lzwtest"
)

func samples() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(random.IntN(256))
	}
	return map[string][]byte{
		"empty":        {},
		"one byte":     []byte("a"),
		"short":        []byte("entstat -d ent0\n"),
		"one letter":   bytes.Repeat([]byte("a"), 100_000),
		"table":        []byte(strings.Repeat("mtu 1500 Maximum IP Packet Size True\n", 9000)),
		"noise":        noise,
		"text + noise": append([]byte(strings.Repeat("netstat -in\n", 5000)), noise...),
	}
}

func TestReader(t *testing.T) {
	for name, want := range samples() {
		for _, width := range []uint{9, 12, 16} {
			got, err := read(lzwtest.Compress(want, width))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, %d bits: got %d bytes and %v, want %d bytes", name, width, len(got), err, len(want))
			}
		}
	}
}

// gzip reads .Z files: it says whether the tests' writer writes what compress
// writes.
func TestAgainstGzip(t *testing.T) {
	gzip, err := exec.LookPath("gzip")
	if err != nil {
		t.Skip("no gzip on this machine to compare with")
	}
	for name, want := range samples() {
		cmd := exec.Command(gzip, "-dc")
		cmd.Stdin = bytes.NewReader(lzwtest.Compress(want, 16))
		got, err := cmd.Output()
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: gzip -dc gave %d bytes and %v, want %d bytes", name, len(got), err, len(want))
		}
	}
}

func TestDamaged(t *testing.T) {
	whole := lzwtest.Compress(samples()["table"], 16)
	for _, bad := range [][]byte{nil, {0x1f}, {0x1f, 0x9d, 0x88}, {0x1f, 0x9d, 0x91}, {0x1f, 0x8b, 0x90}} {
		if _, err := NewReader(bytes.NewReader(bad)); !errors.Is(err, ErrHeader) {
			t.Errorf("header %x: got %v, want %v", bad, err, ErrHeader)
		}
	}
	cut, err := read(whole[:len(whole)/2])
	if err != nil || !bytes.HasPrefix(samples()["table"], cut) || len(cut) < 1000 {
		t.Errorf("cut in the middle: got %d bytes and %v, want the beginning of the text", len(cut), err)
	}
	if _, err := read([]byte{0x1f, 0x9d, 0x90, 0xff, 0xff, 0xff}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("first code out of range: got %v, want %v", err, ErrCorrupt)
	}
}

func read(z []byte) ([]byte, error) {
	r, err := NewReader(bytes.NewReader(z))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func FuzzReader(f *testing.F) {
	for _, s := range samples() {
		f.Add(lzwtest.Compress(s[:min(len(s), 2000)], 16))
	}
	f.Fuzz(func(t *testing.T, z []byte) {
		r, err := NewReader(bytes.NewReader(z))
		if err != nil {
			return
		}
		if n, err := io.Copy(io.Discard, io.LimitReader(r, 1<<20)); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("after %d bytes: %v, want none or %v", n, err, ErrCorrupt)
		}
	})
}
