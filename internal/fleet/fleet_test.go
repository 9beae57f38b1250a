package fleet_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/zone"
	"seaworthy/internal/test/await"
)

// Two zones, one sweep: each host ends with one outcome, and what was read is kept once.
func TestSweep(t *testing.T) {
	w := newWorld(t, 3*time.Second)
	nc := w.ask()
	east, west := newHosts(names("e", 30)...), newHosts(names("w", 20)...)
	west.pads = 3 * message.MaxInline // in chunks
	east.faults["e003"] = errors.New("e003: unreachable")
	west.faults["w004"] = errHalf
	w.join(w.token("east"), east, filepath.Join(w.dir, "east"))
	w.join(w.token("west"), west, filepath.Join(w.dir, "west"))
	w.known(nc, "east", 30)
	w.known(nc, "west", 20)
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

// A sweep of a zone whose collector has ended says whom it waits for, until a collector is there again.
func TestSilentZone(t *testing.T) {
	w := newWorld(t, 2*time.Second)
	nc := w.ask()
	token, h := w.token("still"), newHosts(names("s", 3)...)
	end := w.join(token, h, filepath.Join(w.dir, "still"))
	w.known(nc, "still", 3)
	end()
	await.Until(t, "the hub finds the zone silent", func() bool { return w.zone(nc, "still").Silent })
	s := w.sweep(nc)
	if s.Words == nil {
		t.Error("a sweep of all hosts has no list of words")
	}
	await.Until(t, "the sweep says that it waits for the zone", func() bool {
		var err error
		s, err = control.Ask[*control.Sweep](t.Context(), nc, control.SweepStatus, control.Named{Name: s.ID})
		return err == nil && len(s.Silent()) == 1 && !s.Silent()[0].Seen.IsZero() && s.Left == 0
	})
	w.join(token, h, filepath.Join(w.dir, "still"))
	s = w.over(nc, s.ID)
	if s.Read != 3 || len(s.Silent()) != 0 || w.zone(nc, "still").Silent {
		t.Errorf("got %+v", s)
	}
	h.once(t)
}

// A result that comes again, under the same or another job, changes nothing.
func TestTwice(t *testing.T) {
	w := newWorld(t, 3*time.Second)
	nc := w.ask()
	token := w.token("twice")
	h := newHosts(names("t", 6)...)
	h.takes = 300 * time.Millisecond
	w.join(token, h, filepath.Join(w.dir, "twice"), func(o *zone.Options) { o.Limits.Hosts, o.Limits.System = 2, 2 })
	w.known(nc, "twice", 6)
	id := w.sweep(nc, "zone=twice").ID
	send := func(host string) {
		again, err := queue.Dial(token)
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		for range 3 {
			publish(t, again, message.ResultSubject("twice"), message.Result{Job: "again", Host: host, Error: "again", Ended: time.Now()})
		}
	}
	await.Until(t, "the first hosts are kept", func() bool { return w.keeper.has("t000") })
	send("t000")
	s := w.over(nc, id)
	send("t001")
	if s.All != 6 || s.Read != 6 || s.Failed != 0 {
		t.Errorf("got %+v", s)
	}
	h.once(t)
	s = w.over(nc, w.sweep(nc, "zone=twice", "t002").ID)
	if s.Read != 1 {
		t.Errorf("after that: got %+v", s)
	}
	for _, name := range names("t", 6) {
		if w.keeper.missed[name] != "" {
			t.Errorf("%s: kept as not reached: %s", name, w.keeper.missed[name])
		}
	}
}

// The hub ends in the middle of a sweep, and goes on once it begins again; no host is read twice.
func TestHubEnds(t *testing.T) {
	w := newWorld(t, 3*time.Second)
	nc := w.ask()
	h := newHosts(names("r", 24)...)
	h.takes = 200 * time.Millisecond
	w.join(w.token("ends"), h, filepath.Join(w.dir, "ends"), func(o *zone.Options) { o.Limits.Hosts, o.Limits.System = 3, 3 })
	w.known(nc, "ends", 24)
	id := w.sweep(nc, "zone=ends").ID
	await.Until(t, "some hosts are kept", func() bool { return w.keeper.has("r000") })
	at := w.server.Address().String()
	w.halt()
	w.start(at)
	s := w.over(nc, id)
	if s.All != 24 || s.Read != 24 {
		t.Errorf("got %+v", s)
	}
	h.once(t)
}

// A collector ends, and another one of its zone goes on.
func TestHandedOver(t *testing.T) {
	w := newWorld(t, 3*time.Second)
	nc := w.ask()
	token := w.token("handed")
	h := newHosts(names("x", 12)...)
	h.takes = 200 * time.Millisecond
	few := func(o *zone.Options) { o.Limits.Hosts, o.Limits.System = 2, 2 }
	end := w.join(token, h, filepath.Join(w.dir, "handed-1"), few)
	w.known(nc, "handed", 12)
	id := w.sweep(nc, "zone=handed").ID
	w.join(token, h, filepath.Join(w.dir, "handed-2"), few)
	await.Until(t, "a host is kept", func() bool { return w.keeper.has("x000") })
	end()
	s := w.over(nc, id)
	if s.All != 12 || s.Read != 12 {
		t.Errorf("got %+v", s)
	}
	if len(h.clashes) > 0 {
		t.Errorf("read by two at once: %v", h.clashes)
	}
}

// A sweep is cancelled: hosts that its collector has not read are not, those that it reads are let
// go, and the next sweep reads them.
func TestCancelled(t *testing.T) {
	w := newWorld(t, 2*time.Second)
	nc := w.ask()
	h := newHosts(names("c", 12)...)
	h.takes = time.Hour
	w.join(w.token("zone"), h, filepath.Join(w.dir, "zone"), func(o *zone.Options) { o.Limits.Hosts, o.Limits.System = 2, 2 })
	w.known(nc, "zone", 12)
	id := w.sweep(nc).ID
	await.Until(t, "the collector reads", func() bool { return h.reading() == 2 })
	s, err := control.Ask[*control.Sweep](t.Context(), nc, control.CancelSweep, control.Named{Name: id})
	if err != nil || s.Failed != 12 || s.Ended.IsZero() {
		t.Fatalf("got %+v, %v", s, err)
	}
	await.Until(t, "nothing is read", func() bool {
		z := w.zone(nc, "zone")
		return h.reading() == 0 && z.Held == 0 && z.Waiting == 0
	})
	h.mu.Lock()
	n := len(h.reads)
	h.takes = 0
	h.mu.Unlock()
	if n != 2 {
		t.Errorf("%d hosts were begun, want 2", n)
	}
	s = w.over(nc, w.sweep(nc).ID)
	if s.Read != 12 {
		t.Errorf("after that: got %+v", s)
	}
}
