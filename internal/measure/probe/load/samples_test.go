package load

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Samples are bounded and end with the interval, whatever it really takes.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		expected, real time.Duration
		n              int
		spacing        float64 // s, between the first two
	}{
		{2 * time.Second, 2*time.Second + 10*time.Millisecond, 40, 0.05},
		{2 * time.Second, 2*time.Second + 40*time.Millisecond, 41, 0.05},
		{400 * time.Millisecond, 430 * time.Millisecond, 9, 0.05},
		{10 * time.Millisecond, 10 * time.Millisecond, 1, 0},
		{time.Minute, time.Minute - time.Millisecond, 30, 2}, // the 60th would have halved them
		{time.Second, time.Hour, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			var n atomic.Uint64
			n.Store(1000) // before the begin
			s := sample(c.expected, n.Load)
			done := make(chan struct{})
			go func() {
				defer close(done)
				for range c.real / time.Millisecond {
					time.Sleep(time.Millisecond)
					n.Add(7)
				}
			}()
			<-done
			got := s.end()
			last := len(got.Counts) - 1
			if last < 0 || last >= mostSamples || len(got.Seconds) != last+1 {
				t.Fatalf("%v: %d times, %d counts", c.real, len(got.Seconds), last+1)
			}
			if !slices.IsSorted(got.Seconds) || got.Seconds[last] != c.real.Seconds() || got.Counts[last] != uint64(c.real/time.Millisecond*7) {
				t.Errorf("%v: ends with %d after %v s", c.real, got.Counts[last], got.Seconds[last])
			}
			if c.n > 0 && last+1 != c.n {
				t.Errorf("%v: %d samples, want %d: %v", c.real, last+1, c.n, got.Seconds)
			}
			if c.spacing > 0 && got.Seconds[1]-got.Seconds[0] != c.spacing {
				t.Errorf("%v: spacing %v, want %v", c.real, got.Seconds[1]-got.Seconds[0], c.spacing)
			}
		})
	}
}
