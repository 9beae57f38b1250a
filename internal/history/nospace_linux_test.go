package history

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"seaworthy/internal/test/smalldisk"
)

// On a disk that fills up an error says so, and what was there before is there, whole; with
// room again the same snapshots are added.
func TestDiskFull(t *testing.T) {
	dir := smalldisk.Mount(t, 2<<20)
	s := opened(t, "sqlite:"+filepath.Join(dir, "h.sqlite"))
	put(t, s, reading("h1", day(0), "first", "ent0 mtu 1500"))
	want := storedFacts(t, s)
	random := rand.New(rand.NewPCG(1, 2))
	large := make([]byte, 4<<20) // that does not compress
	for i := range large {
		large[i] = byte(random.IntN(256))
	}
	w, err := s.Begin(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	err = w.Add(t.Context(), []Reading{reading("h1", day(1), "second", "ent0 mtu 9000"), reading("h2", day(1), string(large), "ent0 mtu 9000")})
	if err == nil || !strings.Contains(err.Error(), "no room on the disk") || w.Added != (Added{}) {
		t.Fatalf("%+v, %v", w.Added, err)
	}
	equal(t, "facts after that", storedFacts(t, s), want)
	err = unix.Mount("", dir, "", unix.MS_REMOUNT, "size=64m")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "with room", put(t, s, reading("h1", day(1), "second", "ent0 mtu 9000")), Added{New: 1, Changed: 1})
}

// A history in a folder that nobody may write to is refused, with its name; root may write
// everywhere but on a file system that is read-only.
func TestReadOnlyFolder(t *testing.T) {
	dir := smalldisk.Mount(t, 1<<20)
	file := filepath.Join(dir, "h.sqlite")
	s := opened(t, "sqlite:"+file)
	put(t, s, reading("h1", day(0), "first", "ent0 mtu 1500"))
	err := s.Close()
	if err != nil {
		t.Fatal(err)
	}
	err = unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, filepath.Join(dir, "other.sqlite"), filepath.Join(dir, "none", "h.sqlite")} {
		again, err := Open(t.Context(), "sqlite:"+name, func(string) {})
		if err == nil {
			_ = again.Close()
		}
		if !errors.Is(err, os.ErrPermission) && !errors.Is(err, unix.EROFS) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
