package cli

import (
	"bytes"
	"strings"
	"testing"

	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab"
	"seaworthy/lab/capture"
	"seaworthy/lab/wire"
)

func TestHopNames(t *testing.T) {
	for want, h := range map[string]capture.Hop{
		"lpar1 ent0 sends":    {Place: wire.Virtual, Where: "lpar1", Node: "lpar1", Adapter: "ent0", Sends: true},
		"vios1 ent0 receives": {Place: wire.Physical, Where: "vios1", Node: "vios1", Adapter: "ent0"},
		"hypervisor switch of cec1 sends to vios1 ent4": {Place: wire.Hypervisor,
			Where: "hyp:cec1", Node: "vios1", Adapter: "ent4", Sends: true},
		"hypervisor switch of cec1 receives from lpar1 ent0": {Place: wire.Hypervisor, Where: "hyp:cec1", Node: "lpar1", Adapter: "ent0"},
		"Ethernet switch receives from vios1 ent0":           {Place: wire.SwitchPort, Where: "sw:sw1", Node: "vios1", Adapter: "ent0"},
	} {
		if got := hopName(h); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	classes := []capture.Class{{UpTo: 1514}, {}}
	if a, b := className(classes, 0), className(classes, 1); a != "to 1514" || b != "above" {
		t.Errorf("got %q and %q", a, b)
	}
}

// A proof ends with a sentence on where frames are large, whatever they do.
func TestProofConcludes(t *testing.T) {
	hop := func(largest int) capture.Hop {
		return capture.Hop{Place: wire.Virtual, Node: "lpar1", Adapter: "ent0", Sends: true,
			Frames: 1, Largest: largest, Classes: []capture.Class{{UpTo: 1514}, {}}}
	}
	for want, p := range map[string]lab.Proof{
		"whole all the way":      {From: "lpar1", Hops: []capture.Hop{hop(65226), hop(65226)}},
		"lpar1 lets no large":    {From: "lpar1", Hops: []capture.Hop{hop(1514), hop(2962)}},
		"before the first cable": {From: "lpar1", Hops: []capture.Hop{hop(1514), hop(1514)}, Narrow: true},
		"are whole at: lpar1 ent0 se": {From: "lpar1", Hops: []capture.Hop{hop(65226), hop(1514)},
			Cut: &lab.Cut{Whole: hop(65226), Small: hop(1514), By: "lpar1"}},
	} {
		var out bytes.Buffer
		var d report.Document
		printHops(&d, p)
		if err := doc.WriteText(&out, &d, doc.Screen{}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %q", got, want)
		}
	}
}
