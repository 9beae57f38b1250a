package load

import (
	"slices"
	"time"
)

// Samples are a load's count at several times of the measured interval: bytes, or
// transactions, since its begin, at most mostSamples of them.
type Samples struct {
	Seconds []float64 `json:"seconds"` // since the begin
	Counts  []uint64  `json:"counts"`
}

const (
	mostSamples  = 60
	leastSpacing = 50 * time.Millisecond
)

// sampler takes samples until it is stopped.
type sampler struct {
	began  time.Time
	count  func() uint64
	every  time.Duration
	got    Samples
	stop   chan struct{}
	ended  chan struct{}
	ticker *time.Ticker
}

// sample counts over an interval that should take so long.
func sample(expected time.Duration, count func() uint64) *sampler {
	s := &sampler{began: time.Now(), every: max(leastSpacing, expected/mostSamples), stop: make(chan struct{}), ended: make(chan struct{})}
	first := count()
	s.count = func() uint64 { return count() - first }
	s.ticker = time.NewTicker(s.every)
	go s.run()
	return s
}

func (s *sampler) run() {
	defer close(s.ended)
	defer s.ticker.Stop()
	for {
		select {
		case <-s.ticker.C:
			if !s.recent() { // a late tick is followed by one that is soon
				s.take()
			}
		case <-s.stop:
			return
		}
	}
}

// recent says whether the last sample is less than half a spacing ago.
func (s *sampler) recent() bool {
	n := len(s.got.Seconds)
	return n > 0 && time.Since(s.began).Seconds()-s.got.Seconds[n-1] < s.every.Seconds()/2
}

// take keeps a sample. Too many are halved: an interval may take longer than was
// expected.
func (s *sampler) take() {
	s.got.Seconds = append(s.got.Seconds, time.Since(s.began).Seconds())
	s.got.Counts = append(s.got.Counts, s.count())
	if len(s.got.Counts) < mostSamples {
		return
	}
	kept := 0
	for i := 1; i < mostSamples; i += 2 {
		s.got.Seconds[kept], s.got.Counts[kept] = s.got.Seconds[i], s.got.Counts[i]
		kept++
	}
	s.got.Seconds, s.got.Counts = s.got.Seconds[:kept], s.got.Counts[:kept]
	s.every *= 2
	s.ticker.Reset(s.every)
}

// end gives the samples with the interval's end as the last one. What is left of a
// spacing is part of the one before, unless it is most of one.
func (s *sampler) end() *Samples {
	close(s.stop)
	<-s.ended
	if s.recent() {
		n := len(s.got.Seconds)
		s.got.Seconds, s.got.Counts = slices.Delete(s.got.Seconds, n-1, n), slices.Delete(s.got.Counts, n-1, n)
	}
	s.take()
	return &s.got
}
