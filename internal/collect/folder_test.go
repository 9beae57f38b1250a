package collect

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// hostFolder makes a snapshot with one output.
func hostFolder(t *testing.T, dir, text string) {
	t.Helper()
	put(t, dir, "manifest.json", head+`{"id":"uname-a","line":"uname -a","stdout":"u.txt"}]}`)
	put(t, dir, "u.txt", text)
}

// A folder that is exchanged for a link while it is read shows nothing that lies
// elsewhere.
func TestExchangedFolder(t *testing.T) {
	shared, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "root")
	host := filepath.Join(shared, "lpar1")
	hostFolder(t, host, "AIX lpar1\n")
	hostFolder(t, elsewhere, "secret\n")
	link := filepath.Join(shared, ".link")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for ctx.Err() == nil {
			if err := unix.Renameat2(unix.AT_FDCWD, host, unix.AT_FDCWD, link, unix.RENAME_EXCHANGE); err != nil {
				t.Error(err)
				return
			}
		}
	})
	defer swapping.Wait()
	defer stop()
	read, refused := 0, 0
	for range 3000 {
		s, err := OpenBelow(shared, host)
		if err != nil {
			refused++
			continue
		}
		text, err := s.Text(&s.Manifest.Commands[0])
		if err != nil {
			refused++
			continue
		}
		read++
		if strings.Contains(string(text), "secret") {
			t.Fatal("a link showed what lies elsewhere")
		}
	}
	if read == 0 || refused == 0 {
		t.Errorf("read %d times, refused %d times: the test would prove little", read, refused)
	}
}

// Sparse outputs of some KB on disk do not fill the memory.
func TestSparseOutputs(t *testing.T) {
	dir := t.TempDir()
	var list []string
	for i := range 20 {
		name := fmt.Sprintf("o%d.txt", i)
		put(t, dir, name, "")
		if err := os.Truncate(filepath.Join(dir, name), 16<<20); err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf(`{"id":"x","line":"x %d","stdout":"%s"}`, i, name))
	}
	put(t, dir, "manifest.json", head+strings.Join(list, ",")+"]}")
	_, err := Inventories(t.Context(), dir)
	if err == nil || !strings.Contains(err.Error(), "more than the limit") || !strings.Contains(err.Error(), "x 16") {
		t.Errorf("320 MB of outputs: got %v, want an error that names the output that is too much", err)
	}
}
