package live

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/model"
)

func TestRates(t *testing.T) {
	type counters = map[string]uint64
	for name, c := range map[string]struct {
		before, after counters
		want          Rates
		reset         bool
	}{
		"entstat": {
			counters{"rx.Bytes": 1000, "tx.Bytes": 0, "rx.Packets": 10, "tx.Packets": 1, "rx.Packets Dropped": 1, "tx.Packets Dropped": 2},
			counters{"rx.Bytes": 5000, "tx.Bytes": 0, "rx.Packets": 14, "tx.Packets": 3, "rx.Packets Dropped": 4, "tx.Packets Dropped": 3},
			Rates{InBytes: 2000, OutBytes: 0, InPackets: 2, OutPackets: 1, Drops: 2}, false,
		},
		"netstat has no bytes": {
			counters{"Ipkts": 1, "Opkts": 1, "Ierrs": 0, "Oerrs": 0}, counters{"Ipkts": 5, "Opkts": 3, "Ierrs": 0, "Oerrs": 2},
			Rates{InPackets: 2, OutPackets: 1, Drops: 1}, false,
		},
		"linux": {
			counters{"rx_bytes": 1, "tx_bytes": 1, "rx_packets": 1, "tx_packets": 1, "rx_dropped+missed": 0, "tx_dropped": 0, "rx_no_buffer": 8},
			counters{"rx_bytes": 3, "tx_bytes": 1, "rx_packets": 3, "tx_packets": 1, "rx_dropped+missed": 2, "tx_dropped": 0, "rx_no_buffer": 10},
			Rates{InBytes: 1, OutBytes: 0, InPackets: 1, OutPackets: 0, Drops: 1, Misses: 1}, false,
		},
		"a miss that two counters count is one": {
			counters{"rx.No Resource Errors": 5, "Hypervisor Receive Failures": 0}, counters{"rx.No Resource Errors": 9, "Hypervisor Receive Failures": 2},
			Rates{Misses: 2}, false,
		},
		"not read before": {counters{}, counters{"rx.Bytes": 5000}, Rates{}, false},
		"not read now":    {counters{"rx.Bytes": 5000}, counters{}, Rates{}, false},
		"half of a sum":   {counters{"rx.Packets Dropped": 5}, counters{"rx.Packets Dropped": 7, "tx.Packets Dropped": 9}, Rates{}, false},
		"began again": {
			counters{"rx.Bytes": 5000, "tx.Bytes": 7}, counters{"rx.Bytes": 100, "tx.Bytes": 9}, Rates{OutBytes: 1}, true,
		},
		"one of a sum began again": {
			counters{"rx.Packets Dropped": 5, "tx.Packets Dropped": 5}, counters{"rx.Packets Dropped": 0, "tx.Packets Dropped": 9}, Rates{}, true,
		},
	} {
		got, reset := rates(model.CountersOf(c.before), model.CountersOf(c.after), 2)
		if diff := cmp.Diff(c.want, got); diff != "" || reset != c.reset {
			t.Errorf("%s: reset %v, want %v; rates (-want +got):\n%s", name, reset, c.reset, diff)
		}
	}
}

func TestPeaks(t *testing.T) {
	r := Rates{InBytes: 5}
	r.raise(Rates{InBytes: 3, OutBytes: 0})
	r.raise(Rates{InBytes: 9})
	if diff := cmp.Diff(Rates{InBytes: 9, OutBytes: 0}, r); diff != "" {
		t.Errorf("peaks (-want +got):\n%s", diff)
	}
}

// An SEA's own counters are those of its interface: what it bridges its adapters count.
func TestBridged(t *testing.T) {
	sea := &model.Element{Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent0", Trunks: []string{"ent4", "ent7"}}}
	h := &host{rates: map[string]Rates{"ent0": {InBytes: 100, OutBytes: 1}, "ent4": {InBytes: 20, OutBytes: 2}, "ent7": {InBytes: 3}}}
	own := Rates{InBytes: 7, OutBytes: 7, Drops: 5}
	h.bridged(sea, own)
	if want := (Rates{InBytes: 123, Drops: 5}); !maps.Equal(own, want) {
		t.Errorf("got %v, want %v: what one adapter does not count is unknown of the SEA", own, want)
	}
}
