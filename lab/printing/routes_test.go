package printing_test

import (
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/netstat/routes"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

var routesCodec = codectest.Codec[routes.Table]{
	Parse: routes.Parse, Format: printing.FormatRoutes,
	Report: func(x *routes.Table) *parse.Report { return &x.Report },
}

func TestFormatRoutes(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	got := routesCodec.Printed(t, &routes.Table{Families: []*routes.Family{
		{Number: 2, Name: "Internet", Routes: []*routes.Route{
			{Destination: "default", Gateway: "10.1.0.1", Flags: "UG", Refs: n(1), Use: n(12696), Interface: "en0"},
			{Destination: "10.1.0.0", Gateway: "10.1.0.11", Flags: "UHSb", Refs: n(0), Use: n(0), Interface: "en0", Same: true},
			{Destination: "10.1/24", Gateway: "10.1.0.11", Flags: "U", Refs: n(0), Use: n(117544066), Interface: "en0"},
		}},
		{Number: 24, Name: "Internet v6", Routes: []*routes.Route{
			{Destination: "::1%1", Gateway: "::1%1", Flags: "UH", Refs: n(2), Use: n(798), Interface: "lo0"}}},
	}})
	codectest.Golden(t, *update, "routes.golden", []byte(got))
}
