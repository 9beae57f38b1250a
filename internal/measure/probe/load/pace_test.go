package load_test

import (
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/test/await"
)

// stalling answers requests of a byte, and once, at its first request after so long, lets them wait.
func stalling(t *testing.T, after, pause time.Duration) netip.AddrPort {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		if _, err := io.ReadFull(c, make([]byte, 16)); err != nil { // the token
			return
		}
		begun, stalled, b := time.Now(), false, make([]byte, 1)
		for {
			if _, err := c.Read(b); err != nil {
				return
			}
			if !stalled && time.Since(begun) > after {
				stalled = true
				await.Pause(pause)
			}
			if _, err := c.Write(b); err != nil {
				return
			}
		}
	}()
	return l.Addr().(*net.TCPAddr).AddrPort()
}

// measured runs a session for a time and gives its interval and latencies.
func measured(t *testing.T, rate float64, to netip.AddrPort, d time.Duration) (*load.Interval, *load.Latency) {
	t.Helper()
	l, err := load.Connect(t.Context(), load.Spec{Kind: load.RequestResponse, Send: true, Connections: 1, Request: 1, Response: 1,
		NoDelay: true, Rate: rate, Limit: 60, Token: strings.Repeat("ab", 16)}, to)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Stop()
	if err := l.Begin(d); err != nil {
		t.Fatal(err)
	}
	<-time.After(d)
	i, err := l.End()
	if err != nil {
		t.Fatal(err)
	}
	s := l.Stop()
	if s.Latency == nil {
		t.Fatal("no latencies")
	}
	return i, s.Latency
}

// A stall of 200 ms in 600 is one transaction's latency to a session that waits for each
// answer; at a rate all requests that were due meanwhile have waited.
func TestStallAtRate(t *testing.T) {
	const d, stall = 600 * time.Millisecond, 200 * time.Millisecond
	_, closed := measured(t, 0, stalling(t, 100*time.Millisecond, stall), d)
	i, open := measured(t, 1000, stalling(t, 100*time.Millisecond, stall), d)
	if closed.P99 > 50_000 || closed.Max < 199_000 {
		t.Errorf("without a rate: p99 %.0f µs, most %.0f µs; want the stall in the most alone", closed.P99, closed.Max)
	}
	if open.P99 < 150_000 || open.P50 > 100_000 {
		t.Errorf("at 1,000/s: p50 %.0f µs, p99 %.0f µs; a third of the requests waited up to 200 ms", open.P50, open.P99)
	}
	if tps := float64(i.Transactions) / i.Seconds; tps < 850 || tps > 1050 {
		t.Errorf("at 1,000/s: %.0f transactions/s", tps)
	}
	if open.Count < 550 || open.Count > 620 {
		t.Errorf("at 1,000/s in 0.6 s: %d latencies", open.Count)
	}
}

// Requests that were due and never answered are latencies, too: the time until the load ended.
func TestUnansweredAtRate(t *testing.T) {
	_, open := measured(t, 100, stalling(t, 0, 10*time.Second), 500*time.Millisecond)
	if open.Owed < 40 || open.Owed != open.Count || open.P50 < 150_000 {
		t.Errorf("%d of %d unanswered, p50 %.0f µs; want all of about 50, which waited 250 ms in the middle", open.Owed, open.Count, open.P50)
	}
}

func TestRateOfSpec(t *testing.T) {
	ok := load.Spec{Kind: load.RequestResponse, Connections: 1, Request: 1, Response: 1, Rate: 10, Limit: 1, Token: strings.Repeat("ab", 16)}
	if err := ok.Check(); err != nil {
		t.Error(err)
	}
	stream, negative := ok, ok
	stream.Kind, stream.Write, negative.Rate = load.Stream, 1, -1
	for _, s := range []load.Spec{stream, negative} {
		if s.Check() == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}
