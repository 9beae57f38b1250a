package fleet_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Two zones, one sweep: each host ends with one outcome, and what was read is kept once.
func TestSweep(t *testing.T) {
	w := newWorld(t, 10*time.Second)
	nc := w.ask()
	east, west := newHosts(names("e", 30)...), newHosts(names("w", 20)...)
	east.faults["e003"] = errors.New("e003: unreachable")
	west.faults["w004"] = errHalf
	w.join(w.token("east"), east, filepath.Join(w.dir, "east"))
	w.join(w.token("west"), west, filepath.Join(w.dir, "west"))
	w.known(nc, 50)
	s := w.over(nc, w.sweep(nc).ID)
	if s.All != 50 || s.Read != 48 || s.Partial != 1 || s.Failed != 1 || len(s.Not) != 2 {
		t.Errorf("got %+v", s)
	}
	if w.keeper.count() != 49 || !strings.Contains(w.keeper.missed["e003"], "unreachable") {
		t.Errorf("kept %d, missed %v", w.keeper.count(), w.keeper.missed)
	}
	east.once(t)
	west.once(t)

	s = w.over(nc, w.sweep(nc, "zone=west", "w00*").ID)
	if s.All != 10 || s.Read != 9 || s.Partial != 1 {
		t.Errorf("of a selection: got %+v", s)
	}
}
