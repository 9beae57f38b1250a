package terminal_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/remote/terminal"
)

// pair opens a pseudo terminal: what is typed at keys arrives at screen.
func pair(t *testing.T) (keys, screen *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { keys.Close() })
	screen, err = slave(keys)
	if err != nil {
		t.Fatalf("pseudo terminal: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	return keys, screen
}

func TestIs(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if terminal.Is(file) {
		t.Error("a file: got a terminal, want none")
	}
	if _, _, err := terminal.Size(file); err == nil {
		t.Error("size of a file: got no error")
	}
	if _, err := terminal.Raw(file); err == nil {
		t.Error("raw file: got no error")
	}
	_, screen := pair(t)
	if !terminal.Is(screen) {
		t.Error("a pseudo terminal: got none, want a terminal")
	}
}

func TestSize(t *testing.T) {
	keys, screen := pair(t)
	if err := unix.IoctlSetWinsize(int(keys.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: 101, Row: 37}); err != nil {
		t.Fatal(err)
	}
	columns, lines, err := terminal.Size(screen)
	if err != nil || columns != 101 || lines != 37 {
		t.Errorf("got %d columns, %d lines, %v; want 101, 37, none", columns, lines, err)
	}
}

// A key arrives without a line end while raw, and nothing is echoed; the
// earlier modes are back afterwards.
func TestRaw(t *testing.T) {
	keys, screen := pair(t)
	before := modes(t, screen)
	back, err := terminal.Raw(screen)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keys.WriteString("\x03\r"); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 2)
	if _, err := io.ReadFull(screen, got); err != nil || string(got) != "\x03\r" {
		t.Errorf("got %q, %v; want Ctrl-C and a carriage return as they are", got, err)
	}
	if _, err := screen.WriteString("a\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(keys, got); err != nil || string(got) != "a\n" {
		t.Errorf("written: got %q, %v; want no echo before it and no carriage return added", got, err)
	}
	if err := back(); err != nil {
		t.Fatal(err)
	}
	if after := modes(t, screen); after != before {
		t.Errorf("modes afterwards: got %+v, want %+v", after, before)
	}
}

func TestPassword(t *testing.T) {
	keys, screen := pair(t)
	before := modes(t, screen)
	type answer struct {
		line []byte
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		line, err := terminal.Password(screen)
		done <- answer{line, err}
	}()
	for modes(t, screen).Lflag&unix.ECHO != 0 {
		time.Sleep(time.Millisecond)
	}
	if _, err := keys.WriteString("s3cret\rmore\r"); err != nil {
		t.Fatal(err)
	}
	if a := <-done; a.err != nil || string(a.line) != "s3cret" {
		t.Errorf("got %q, %v; want s3cret", a.line, a.err)
	}
	if after := modes(t, screen); after != before {
		t.Errorf("modes afterwards: got %+v, want %+v", after, before)
	}
	if _, err := screen.WriteString("end"); err != nil {
		t.Fatal(err)
	}
	shown := make([]byte, 3)
	if _, err := io.ReadFull(keys, shown); err != nil || !bytes.Equal(shown, []byte("end")) {
		t.Errorf("shown: got %q, %v; want nothing of the password", shown, err)
	}
	rest := make([]byte, 16)
	if n, err := screen.Read(rest); err != nil || string(rest[:n]) != "more\n" {
		t.Errorf("after the password: got %q, %v; want the next line untouched", rest[:n], err)
	}
}
