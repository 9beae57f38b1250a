package entstat_test

import (
	"flag"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[entstat.Listing]{
	Parse:  entstat.Parse,
	Report: func(l *entstat.Listing) *parse.Report { return &l.Report },
}

// one is a text about one adapter, with its members.
type one struct {
	*entstat.Statistics
	parse.Report
}

func read(t *testing.T, text string) one {
	t.Helper()
	l := codec.Read(t, text)
	all := l.Adapters()
	if len(all) != 1 {
		t.Fatalf("got %d adapters, want one", len(all))
	}
	return one{all[0], l.Report}
}

var update = flag.Bool("update", false, "write the golden files")

func num(n uint64) *uint64 { return &n }
func yes(b bool) *bool     { return &b }
func mbit(n int64) *int64  { return &n }

// seed are the counters of an adapter in testdata: all different, so that one in the wrong place or on the wrong member
// shows.
func seed(base uint64) map[string]uint64 {
	all := map[string]uint64{}
	for i, name := range []string{"tx.Packets", "rx.Packets", "tx.Bytes", "rx.Bytes", "tx.Transmit Errors", "rx.Receive Errors",
		"tx.Packets Dropped", "rx.Packets Dropped", "rx.Bad Packets", "S/W Transmit Queue Overflow", "Current S/W+H/W Transmit Queue Length",
		"tx.Broadcast Packets", "rx.Broadcast Packets", "rx.Multicast Packets", "rx.CRC Errors", "rx.No Resource Errors", "Multiple Collision Count",
		"No mbuf Errors", "Adapter Reset Count", "Adapter Data Rate"} {
		all[name] = base + uint64(i)*7
	}
	return all
}
