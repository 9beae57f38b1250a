package cputime

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const ms = time.Millisecond

// What was unseen is shared out like what was seen, and none of it is lost.
func TestShares(t *testing.T) {
	var s shares
	var before map[key]time.Duration
	sum := func(m map[key]time.Duration) (d time.Duration) {
		for _, v := range m {
			d += v
		}
		return d
	}
	for _, tt := range []struct {
		name      string
		now, want map[key]time.Duration
	}{
		{"nothing was seen yet: it belongs to nobody",
			map[key]time.Duration{{0, Unseen}: 100 * ms, {7, User}: 5 * ms},
			map[key]time.Duration{{0, SoftIRQ}: 100 * ms, {7, User}: 5 * ms}},
		{"what was left is shared out as well, also to nobody",
			map[key]time.Duration{{0, Unseen}: 400 * ms, {7, Seen}: 30 * ms, {8, Seen}: 10 * ms, {0, Seen}: 10 * ms, {7, User}: 5 * ms},
			map[key]time.Duration{{0, SoftIRQ}: 90 * ms, {7, SoftIRQ}: 270 * ms, {8, SoftIRQ}: 90 * ms, {7, User}: 5 * ms}},
		{"no window since: as before",
			map[key]time.Duration{{0, Unseen}: 440 * ms, {7, Seen}: 30 * ms, {8, Seen}: 10 * ms, {0, Seen}: 10 * ms, {7, User}: 5 * ms},
			map[key]time.Duration{{0, SoftIRQ}: 98 * ms, {7, SoftIRQ}: 294 * ms, {8, SoftIRQ}: 98 * ms, {7, User}: 5 * ms}},
	} {
		s.add(before, tt.now)
		got := map[key]time.Duration{}
		for k, v := range tt.now {
			got[k] = v
		}
		s.into(got)
		for k, v := range got {
			if v == 0 {
				delete(got, k)
			}
			got[k] = v.Round(10 * time.Microsecond)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.name, d)
		}
		if sum(got) != sum(tt.now) {
			t.Errorf("%s: got %v in all, want the %v that there were", tt.name, sum(got), sum(tt.now))
		}
		before = tt.now
	}
	// What is seen now outweighs what was seen seconds of frames ago.
	later := map[key]time.Duration{{0, Unseen}: 20 * time.Second, {7, Seen}: 30 * ms, {8, Seen}: 1010 * ms}
	s.add(before, later)
	before = later
	seven := s.given[7]
	later = map[key]time.Duration{{0, Unseen}: 21 * time.Second, {7, Seen}: 30 * ms, {8, Seen}: 2010 * ms}
	s.add(before, later)
	if got := s.given[7] - seven; got > ms {
		t.Errorf("7 has not been seen for 20 s: got %v of a second, want none", got)
	}
}
