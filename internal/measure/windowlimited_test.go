package measure

import (
	"math"
	"strings"
	"testing"

	"seaworthy/internal/measure/probe/sock"
)

func TestWindowLimited(t *testing.T) {
	trial := func(workload string, busy, peer, buffer, round uint64) Trial {
		bps := 5e7
		sender := sock.State{Info: sock.TCPState{BusyMicros: &busy, PeerLimited: &peer, BufferLimit: &buffer, MinRTTMicros: &round}}
		return Trial{Workload: workload, Measure: Measure{BPS: &bps, Connections: []uint64{1, 2}, Sockets: map[string][]sock.State{
			"lpar1": {sender, sender}, "lpar2": {{}, {}}}}}
	}
	tps := 100.0
	r := &Result{Trials: []Trial{
		trial("window", 1000, 900, 0, 10200), trial("window", 1000, 970, 0, 10000), trial("window", 1000, 950, 0, 10100),
		trial("buffer", 1000, 0, 600, 10000),
		trial("free", 1000, 100, 200, 10000),
		trial("nothing to send", 0, 0, 0, 10000),
		{Workload: "sessions", Measure: Measure{TPS: &tps}},
		{Workload: "AIX", Measure: Measure{BPS: &tps, Sockets: map[string][]sock.State{"lpar1": {{}}}}},
	}}
	got := WindowLimited(r)
	if len(got) != 2 || got[0].Workload != "window" || got[1].Workload != "buffer" {
		t.Fatalf("got %+v, want window and buffer", got)
	}
	if h := got[0]; h.Peer != 0.95 || h.Buffer != 0 || h.RoundMS != 10.1 || h.Streams != 2 {
		t.Errorf("window: got %+v", h)
	}
	// 200 Mbit/s for 10.1 ms are 252,500 bytes, half of it for each of two.
	if n := got[0].Needs(200e6); math.Abs(n-126250) > 1e-6 {
		t.Errorf("200 Mbit/s at 10.1 ms by two streams: got %.0f bytes each, want 126250", n)
	}
	if h := got[1]; h.Buffer != 0.6 {
		t.Errorf("buffer: got %+v", h)
	}
}

// A stream of zero bytes a second is not a measurement of the path's rate.
func TestStill(t *testing.T) {
	figure := func(workload, figure, host string, median float64) Figure {
		f := Figure{Workload: workload, Figure: figure, Host: host}
		f.Median = median
		return f
	}
	r := &Result{Options: Options{From: "lpar1", To: "lpar2", Lookup: "-i lab"}, Figures: []Figure{
		figure("1 stream", Throughput, "", 0), figure("1 stream", Cores, "", 0), figure("8 streams", Throughput, "", 4e6),
		figure("10 sessions", Transactions, "", 0), figure("8 streams", Cores, "lpar1", 0),
	}}
	want := "1 stream, 10 sessions moved nothing from lpar1 to lpar2: seaworthy diagnose lpar1 lpar2 -i lab looks for the cause"
	if got := Still(r); got == nil || got.Error() != want {
		t.Errorf("got %v, want %s", got, want)
	}
	pair := PairFigure{Workload: "1 stream", Figure: Throughput, From: "lpar1", To: "lpar3"}
	pair.Median = 4e6
	r.Pairs = []PairFigure{pair}
	if Still(r) != nil {
		t.Errorf("got %v of a mesh whose pairs all moved something", Still(r))
	}
	r.Pairs[0].Median = 10
	if got := Still(r); got == nil || !strings.HasPrefix(got.Error(), "1 stream moved nothing from lpar1 to lpar3: ") {
		t.Errorf("got %v, want the pair that moved nothing", got)
	}
}
