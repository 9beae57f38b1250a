package cli

import (
	"testing"

	"seaworthy/lab/capture"
	"seaworthy/lab/wire"
)

func TestHopNames(t *testing.T) {
	for want, h := range map[string]capture.Hop{
		"lpar1 ent0 sends":                                   {Place: wire.Virtual, Where: "lpar1", Node: "lpar1", Adapter: "ent0", Sends: true},
		"vios1 ent0 receives":                                {Place: wire.Physical, Where: "vios1", Node: "vios1", Adapter: "ent0"},
		"hypervisor switch of cec1 sends to vios1 ent4":      {Place: wire.Hypervisor, Where: "hyp:cec1", Node: "vios1", Adapter: "ent4", Sends: true},
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
