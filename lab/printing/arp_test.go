package printing_test

import (
	"net/netip"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

var arpCodec = codectest.Codec[linewise.ARPTable]{
	Parse: linewise.ParseARP, Format: printing.FormatARP,
	Report: func(x *linewise.ARPTable) *parse.Report { return &x.Report },
}

func TestFormatARP(t *testing.T) {
	table := &linewise.ARPTable{Entries: []*linewise.ARPEntry{
		{Name: "?", Address: netip.MustParseAddr("10.0.0.9"), MAC: "00:09:6b:20:01:07", Kind: "ethernet"},
		{Name: "?", Address: netip.MustParseAddr("10.0.0.11")},
	}}
	want := "  ? (10.0.0.9) at 0:9:6b:20:1:7 [ethernet]\n  ? (10.0.0.11) at (incomplete)\n\nThere are 2 entries in the arp table.\n"
	if got := arpCodec.Printed(t, table); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
