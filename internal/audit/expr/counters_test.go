package expr

import (
	"testing"

	"seaworthy/internal/inventory/model"
)

func TestCounterNames(t *testing.T) {
	counters := map[string]uint64{
		"rx.No Resource Errors": 1, "Real Side Statistics.Packets fragmented": 2, "Virtual Side Statistics.Packets fragmented": 4,
		"Queue full dropped packets": 8, "Queue full dropped packets (2)": 16, "tx.Packets Dropped": 32, "rx.Packets Dropped": 64,
		"Receive Q0 Statistics.Receive Q No Buffers": 128,
	}
	for names, want := range map[string]uint64{
		"rx.No Resource Errors": 1, "No Resource Errors": 1, "Packets fragmented": 6, "packets  FRAGMENTED": 6,
		"Queue full dropped packets": 24, "tx.Packets Dropped": 32, "Receive Q No Buffers|No Resource Errors": 129, "Resource Errors": 0,
	} {
		var got uint64
		for _, k := range counterNamed(model.CountersOf(counters), names, map[string]string{}) {
			got += counters[k]
		}
		if got != want {
			t.Errorf("%s: got %d, want %d", names, got, want)
		}
	}
}
