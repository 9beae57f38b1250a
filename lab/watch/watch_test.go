package watch

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/test/await"
)

// machine is one network namespace for all nodes: this test's.
type machine struct{}

func (machine) Run(_ string, f func() error) error { return f() }

func place(address string) Place { return Place{Node: address, Address: netip.MustParseAddr(address)} }

func TestGaps(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(n int) time.Time { return start.Add(time.Duration(n) * Interval) }
	for _, c := range []struct {
		name, arrived string // +: arrived, -: lost
		want          []Gap
	}{
		{"none", "", nil},
		{"all arrive", "++++", nil},
		{"one is lost", "+-++", []Gap{{Start: at(1), Long: Interval, Lost: 1}}},
		{"two gaps", "-+--+", []Gap{{Start: at(0), Long: Interval, Lost: 1}, {Start: at(2), Long: 2 * Interval, Lost: 2}}},
		{"nothing comes back", "++---", []Gap{{Start: at(2), Long: 3 * Interval, Lost: 3}}},
		{"nothing arrives", "---", []Gap{{Start: at(0), Long: 3 * Interval, Lost: 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var sent []time.Time
			var arrived []bool
			for i, r := range c.arrived {
				sent, arrived = append(sent, at(i)), append(arrived, r == '+')
			}
			if d := cmp.Diff(c.want, gapsOf(sent, arrived)); d != "" {
				t.Errorf("gaps (-want +got):\n%s", d)
			}
		})
	}
}

// On loopback nothing is lost and the connection lives; the far end's socket closed is a gap and a broken
// connection.
func TestWatch(t *testing.T) {
	pair := Pair{A: place("127.0.0.1"), B: place("127.0.0.2")}
	w, err := Start(t.Context(), machine{}, []Pair{pair})
	if err != nil {
		t.Fatal(err)
	}
	arrivals := func(n int) func() bool {
		return func() bool {
			f := w.pairs[0].flows[0]
			f.mu.Lock()
			defer f.mu.Unlock()
			count := 0
			for _, here := range f.arrived {
				if here {
					count++
				}
			}
			return count >= n
		}
	}
	await.Within(10*time.Second, arrivals(20))
	w.pairs[0].flows[0].to.Close()
	w.pairs[0].stream.mu.Lock()
	for _, c := range w.pairs[0].stream.conns {
		c.Close()
	}
	w.pairs[0].stream.mu.Unlock()
	back := func() bool {
		f := w.pairs[0].flows[0]
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.sent) > 0 && !f.arrived[len(f.sent)-1] && time.Since(f.sent[0]) > 300*time.Millisecond
	}
	await.Within(10*time.Second, back)
	r := w.Stop()
	if len(r.Pairs) != 1 || r.Pairs[0].Sent == 0 {
		t.Fatalf("got %+v, want one pair with packets", r)
	}
	got := r.Pairs[0]
	var lost int
	for _, g := range got.Gaps {
		if g.BToA {
			t.Errorf("a gap from %s, whose far end was open: %+v", pair.B.Node, g)
		}
		lost += g.Lost
	}
	if lost == 0 || got.Lost != lost {
		t.Errorf("got %d lost and gaps of %d, want those after the far end was closed", got.Lost, lost)
	}
	if got.Stream.Error == "" || got.Stream.Broke.IsZero() {
		t.Errorf("stream: %+v, want it broken", got.Stream)
	}
}

// A node may have lost an address when the watch starts: the pair is watched, and nothing arrives.
func TestAbsentAddress(t *testing.T) {
	far := Pair{A: place("127.0.0.1"), B: place("203.0.113.7")} // not an address of this machine
	w, err := Start(t.Context(), machine{}, []Pair{far})
	if err != nil {
		t.Fatal(err)
	}
	sent := func() bool {
		f := w.pairs[0].flows[1]
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.sent) >= 3
	}
	await.Within(10*time.Second, sent)
	got := w.Stop().Pairs[0]
	fromThere := slices.ContainsFunc(got.Gaps, func(g Gap) bool { return g.BToA && g.Lost >= 3 })
	if !fromThere {
		t.Errorf("got %+v, want all lost that the absent address sends", got)
	}
}

func TestStartRefuses(t *testing.T) {
	for name, pairs := range map[string][]Pair{
		"no pair":  nil,
		"too many": make([]Pair, MaxPairs+1),
	} {
		_, err := Start(t.Context(), machine{}, pairs)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
