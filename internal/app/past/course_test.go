package past

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/model"
)

// Rates are what counters gained over the time between two snapshots; what is not known is said to be so.
func TestRates(t *testing.T) {
	start := time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	at := func(minute int, counters map[string]uint64) *model.Host {
		return &model.Host{Name: "h", Taken: start.Add(time.Duration(minute) * time.Minute),
			Elements: map[string]*model.Element{"ent0": {Name: "ent0", Counters: model.CountersOf(counters)}}}
	}
	all := []*model.Host{
		at(0, map[string]uint64{"tx.Bytes": 1000, "rx.Packets Dropped": 5}),
		at(1, map[string]uint64{"tx.Bytes": 1000 + 60*125, "rx.Packets Dropped": 5}),
		at(2, map[string]uint64{"tx.Bytes": 100, "rx.Packets Dropped": 65}),
	}
	for counter, want := range map[string][]Point{
		"":                        {{From: all[0].Taken, To: all[1].Taken, Value: 1000}, {From: all[1].Taken, To: all[2].Taken, Why: "reset"}},
		"receive Packets Dropped": {{From: all[0].Taken, To: all[1].Taken}, {From: all[1].Taken, To: all[2].Taken, Why: "reset"}},
	} {
		rose, rates := map[string]bool{}, map[key]*Rate{}
		for i := 1; i < len(all); i++ {
			compare(all[i], all[i-1], counter, rose, rates)
		}
		var got []Point
		for _, r := range rates {
			got = append(got, r.Points...)
			if counter == "" && (r.Peak != 1000 || r.Unit != "bit/s") {
				t.Errorf("peak %v %s", r.Peak, r.Unit)
			}
		}
		for i := range got {
			if got[i].Why != "" {
				got[i].Why = "reset" // the words are those of package growth
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", counter, d)
		}
		if !rose["transmit Bytes"] || rose["receive Packets Dropped"] {
			t.Errorf("%q: rose %v", counter, rose)
		}
	}
}
