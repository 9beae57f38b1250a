package fileio_test

import (
	"errors"
	"os"
	"testing"

	"seaworthy/internal/base/fileio"
)

// One at a time has the lock of a folder, until it is closed.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	open := func() *os.File {
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	defer second.Close()
	if err := fileio.Lock(first); err != nil {
		t.Fatal(err)
	}
	if err := fileio.Lock(second); !errors.Is(err, fileio.ErrLocked) {
		t.Errorf("while another has it: got %v, want ErrLocked", err)
	}
	first.Close()
	if err := fileio.Lock(second); err != nil {
		t.Errorf("after the other closed it: got %v", err)
	}
}
