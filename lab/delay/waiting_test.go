package delay

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/test/draw"
)

func TestWaiting(t *testing.T) {
	begun := time.Now()
	at := func(us int) time.Time { return begun.Add(time.Duration(us) * time.Microsecond) }
	there, back := way{1, 2}, way{2, 1}
	var w waiting
	if _, some := w.next(); some {
		t.Error("nothing was added, and something waits")
	}
	w.add(1, there, at(500))
	w.add(2, back, at(100))
	w.add(3, there, at(200)) // the delay has become shorter: it must not overtake 1
	w.add(4, back, at(600))
	w.add(5, back, at(100)) // nor this one 4
	for _, x := range []struct {
		now  int
		all  bool
		want []uint32
	}{{99, false, nil}, {100, false, []uint32{2}}, {499, false, nil}, {500, false, []uint32{1, 3}}, {599, false, nil},
		{599, true, []uint32{4, 5}}, {9999, false, nil}} {
		if diff := cmp.Diff(x.want, w.appendDue(nil, at(x.now), x.all)); diff != "" {
			t.Errorf("after %d µs, all %v (-want +got):\n%s", x.now, x.all, diff)
		}
	}
}

// Packets of many ways come out by time, and those of one way in the order they
// came in.
func TestWaitingAnyOrder(t *testing.T) {
	r := draw.Fixed(t, 1, 2)
	begun := time.Now()
	var w waiting
	ways := map[uint32]way{}
	for id := range uint32(5000) {
		on := way{r.Uint32N(4), r.Uint32N(4)}
		ways[id] = on
		w.add(id, on, begun.Add(time.Duration(r.IntN(1000))*time.Microsecond))
	}
	last := map[way]uint32{}
	count := 0
	for step := 0; step <= 1000; step += 7 {
		for _, id := range w.appendDue(nil, begun.Add(time.Duration(step)*time.Microsecond), false) {
			if before, some := last[ways[id]]; some && before > id {
				t.Fatalf("on way %v packet %d came after %d", ways[id], id, before)
			}
			last[ways[id]] = id
			count++
		}
	}
	count += len(w.appendDue(nil, begun, true))
	if count != 5000 {
		t.Errorf("got %d packets, want 5000", count)
	}
}

func TestLateness(t *testing.T) {
	var l lateness
	for i := range 2000 {
		late := 20 * time.Microsecond
		if i%10 == 0 {
			late = 20 * time.Millisecond // another process had the processor
		}
		l.learn(late)
	}
	if l.usual < 15*time.Microsecond || l.usual > 30*time.Microsecond {
		t.Errorf("got %s, want about 20µs", l.usual)
	}
	for range 500 {
		l.learn(time.Second)
	}
	if l.usual != 40*time.Microsecond {
		t.Errorf("always late by a second: got %s, want the limit, 40µs", l.usual)
	}
}
