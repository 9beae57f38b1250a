package cputime

import (
	"maps"
	"math"
	"time"
)

// shares shares out the time of softirqs unseen: like the time of those of which
// it was seen whose they were, or that they were nobody's, in the same interval
// and, less and less, in those before it. So the time of each namespace is an
// estimate from samples, as all of it is, and the sum remains the machine's.
type shares struct {
	seen    map[uint32]float64       // ns by namespace, of late
	given   map[uint32]time.Duration // so far
	pending time.Duration            // nothing was seen yet
}

// memory is how long what was seen is remembered, in seconds of unseen time.
const memory = 1.0

// add shares out what is new between two readings of the map "used".
func (s *shares) add(before, now map[key]time.Duration) {
	if s.seen == nil {
		s.seen, s.given = map[uint32]float64{}, map[uint32]time.Duration{}
	}
	var unseen time.Duration
	fresh := map[uint32]float64{}
	var sum float64
	for k, t := range now {
		switch d := t - before[k]; k.Kind {
		case Unseen:
			unseen += d
		case Seen:
			fresh[k.Namespace] = float64(d)
		}
	}
	fade := math.Exp(-unseen.Seconds() / memory)
	for space, t := range s.seen {
		fresh[space] += fade * t
	}
	for _, t := range fresh {
		sum += t
	}
	s.seen = fresh
	s.pending += unseen
	if unseen = s.pending; sum == 0 {
		return
	}
	for space, t := range fresh {
		part := time.Duration(math.Round(float64(unseen) * t / sum))
		s.given[space] += part
		s.pending -= part
	}
}

// into makes used what the time of softirqs is, with what was shared out. What
// could not be belongs to nobody.
func (s *shares) into(used map[key]time.Duration) {
	for k, t := range maps.Clone(used) {
		if k.Kind == Seen {
			used[key{k.Namespace, SoftIRQ}] += t
		}
		if k.Kind == Seen || k.Kind == Unseen {
			delete(used, k)
		}
	}
	for space, t := range s.given {
		used[key{space, SoftIRQ}] += t
	}
	used[key{0, SoftIRQ}] += s.pending
}
