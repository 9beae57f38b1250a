package printing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lscfg"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

const lscfgDetail = `  ent0             U78D3.001.WZS0000-P1-C3-T1  PCIe3 4-Port 10GbE SR Adapter (df1020e21410e304)

      PCIe3 4-port 10GbE SR Adapter:
        Part Number.................00E2715
        Network Address.............98BE94000001
        ROM Level.(alterable).......11.4.4.11
        Brand.......................
        Device Specific.(YL)........U78D3.001.WZS0000-P1-C3-T1

`

var lscfgAdapter = &lscfg.Resource{
	Name: "ent0", Location: "U78D3.001.WZS0000-P1-C3-T1",
	Description: "PCIe3 4-Port 10GbE SR Adapter (df1020e21410e304)",
	Product:     "PCIe3 4-port 10GbE SR Adapter",
	VPD: []lscfg.Item{
		{Label: "Part Number", Value: "00E2715"}, {Label: "Network Address", Value: "98BE94000001"},
		{Label: "ROM Level.(alterable)", Value: "11.4.4.11"}, {Label: "Brand", Value: ""},
		{Label: "Device Specific.(YL)", Value: "U78D3.001.WZS0000-P1-C3-T1"},
	},
}

var lscfgCodec = codectest.Codec[lscfg.List]{
	Parse: lscfg.Parse, Format: func(l *lscfg.List) []byte { return printing.FormatLscfg(l.Resources...) },
	Report: func(x *lscfg.List) *parse.Report { return &x.Report },
}

func TestFormatLscfg(t *testing.T) {
	if d := cmp.Diff(lscfgDetail, string(printing.FormatLscfg(lscfgAdapter))); d != "" {
		t.Errorf("-vl (-want +got):\n%s", d)
	}
	got := lscfgCodec.Read(t, lscfgDetail)
	if d := cmp.Diff([]*lscfg.Resource{lscfgAdapter}, got.Resources, cmpopts.IgnoreFields(lscfg.Resource{}, "Line")); d != "" {
		t.Errorf("read back (-want +got):\n%s", d)
	}
}
