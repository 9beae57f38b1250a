package printing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lsmap"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

var lsmapAdapters = []lsmap.Adapter{
	{Name: "ent4", PhysLoc: "U9009.22A.7800000-V1-C4-T1", SEA: "ent6", Backing: "ent0", Status: "Available", BackingLoc: "U78D3.001.WZS0000-P1-C3-T1"},
	{Name: "ent5", PhysLoc: "U9009.22A.7800000-V1-C5-T1", NoSEA: true},
}

const lsmapBlocks = `SVEA   Physloc
------ --------------------------------------------
ent4   U9009.22A.7800000-V1-C4-T1

SEA                   ent6
Backing device        ent0
Status                Available
Physloc               U78D3.001.WZS0000-P1-C3-T1

SVEA   Physloc
------ --------------------------------------------
ent5   U9009.22A.7800000-V1-C5-T1

SEA                 NO SHARED ETHERNET ADAPTER FOUND

`

var lsmapCodec = codectest.Codec[lsmap.Map]{
	Parse: lsmap.Parse, Format: printing.FormatLsmap,
	Report: func(x *lsmap.Map) *parse.Report { return &x.Report },
}

func TestFormatLsmap(t *testing.T) {
	if d := cmp.Diff(lsmapBlocks, lsmapCodec.Printed(t, &lsmap.Map{Adapters: lsmapAdapters})); d != "" {
		t.Errorf("blocks (-want +got):\n%s", d)
	}
	want := "ent4:U9009.22A.7800000-V1-C4-T1:ent6:ent0:Available:U78D3.001.WZS0000-P1-C3-T1\n" +
		"ent5:U9009.22A.7800000-V1-C5-T1:NO SHARED ETHERNET ADAPTER FOUND: : : \n"
	if d := cmp.Diff(want, lsmapCodec.Printed(t, &lsmap.Map{Delimiter: ":", Adapters: lsmapAdapters})); d != "" {
		t.Errorf("-fmt (-want +got):\n%s", d)
	}
}
