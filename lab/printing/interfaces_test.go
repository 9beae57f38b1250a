package printing_test

import (
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/netstat/interfaces"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

var interfacesCodec = codectest.Codec[interfaces.Table]{
	Parse: interfaces.Parse, Format: printing.FormatInterfaces,
	Report: func(x *interfaces.Table) *parse.Report { return &x.Report },
}

func TestFormatInterfaces(t *testing.T) {
	c := map[string]uint64{"Ipkts": 162325, "Ierrs": 0, "Opkts": 60252, "Oerrs": 0, "Coll": 0}
	got := interfacesCodec.Printed(t, &interfaces.Table{Rows: []*interfaces.Row{
		{Name: "en0", MTU: 1500, Network: "link#2", Address: "a.c6.24.39.41.3", Counters: c},
		{Name: "en0", MTU: 1500, Network: "10.1", Address: "10.1.0.11", Counters: c, Multicast: []string{"224.0.0.1"}},
		{Name: "lo0", MTU: 16896, Network: "::1%1", Counters: c},
	}})
	codectest.Golden(t, *update, "interfaces.golden", []byte(got))
}
