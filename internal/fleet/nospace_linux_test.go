package fleet_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/internal/fleet/zone"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/smalldisk"
)

// fill leaves no room in a folder's file system; removing the file makes some.
func fill(t *testing.T, dir string) (file string) {
	t.Helper()
	file = filepath.Join(dir, "filler")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 64 << 10; size > 0; size /= 2 {
		_, err = f.Write(make([]byte, size))
		for err == nil {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, unix.ENOSPC) {
			t.Fatal(err)
		}
	}
	return file
}

// The disk of a collector's spool is full: each host ends with that reason; with room again it
// is read.
func TestSpoolFull(t *testing.T) {
	w := newWorld(t, 10*time.Second)
	nc := w.ask()
	spool := smalldisk.Mount(t, 1<<20)
	h := newHosts("s0", "s1")
	w.join(w.token("full"), h, spool)
	w.known(nc, "full", 2)
	file := fill(t, spool)
	s := w.over(nc, w.sweep(nc).ID)
	if s.Failed != 2 || len(s.Not) != 2 || !strings.Contains(s.Not[0].Reason, "no space left") {
		t.Errorf("got %+v", s)
	}
	err := os.Remove(file)
	if err != nil {
		t.Fatal(err)
	}
	s = w.over(nc, w.sweep(nc).ID)
	if s.Read != 2 {
		t.Errorf("with room again: got %+v", s)
	}
}

// The disk of the hub's queue is full: the hub ends with an error that says so, results wait
// in the spool, and with room again each host ends with its own, read once.
func TestHubFull(t *testing.T) {
	store := smalldisk.Mount(t, 4<<20)
	w := newWorldIn(t, t.TempDir(), store, 10*time.Second)
	nc := w.ask()
	h := newHosts(names("f", 12)...)
	h.takes = 300 * time.Millisecond
	w.join(w.token("zone"), h, filepath.Join(w.dir, "zone"), func(o *zone.Options) { o.Limits.Hosts, o.Limits.System = 2, 2 })
	w.known(nc, "zone", 12)
	id := w.sweep(nc).ID
	await.Until(t, "a host is kept", func() bool { return w.keeper.has("f000") })
	file := fill(t, store)
	began := time.Now()
	var failed error
	select {
	case failed = <-w.ended:
	case <-time.After(await.Limit):
		t.Fatal("the hub goes on")
	}
	if failed == nil || !strings.Contains(failed.Error(), "is the disk full?") {
		t.Errorf("got %v", failed)
	}
	t.Logf("told after %s", time.Since(began).Round(time.Millisecond))
	at := w.server.Address().String()
	w.stop()
	w.server.Close()
	err := os.Remove(file)
	if err != nil {
		t.Fatal(err)
	}
	w.start(at)
	s := w.over(nc, id)
	if s.All != 12 || s.Read != 12 {
		t.Errorf("got %+v", s)
	}
	h.once(t)
}
