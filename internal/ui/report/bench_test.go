package report_test

import (
	"testing"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/sock"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// A run whose streams a window held back says so, and what they need.
func TestGoldenHeldBack(t *testing.T) {
	sender := func(peer, buffer uint64) []sock.State {
		return []sock.State{{Info: sock.TCPState{BusyMicros: new(uint64(1000)), PeerLimited: &peer, BufferLimit: &buffer, MinRTTMicros: new(uint64(10040))}}}
	}
	trial := func(workload string, peer, buffer uint64, streams int) measure.Trial {
		return measure.Trial{Workload: workload, Measure: measure.Measure{BPS: new(4.6e7), Connections: make([]uint64, streams), Sockets: map[string][]sock.State{"lpar1": sender(peer, buffer)}}}
	}
	r := &measure.Result{Mode: "run", Trials: []measure.Trial{trial("1 stream", 440, 0, 1), trial("4 streams", 300, 250, 4), trial("8 streams", 100, 0, 8)}}
	r.Options = measure.Options{Driver: "builtin", Target: "10.10.10.12", From: "lpar1", To: "lpar2", Lookup: "-i lab"}
	golden(t, "windowlimited", func(d *report.Document) { report.Conditions(d, r) }, doc.Screen{Width: 80})
}
