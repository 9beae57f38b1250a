package printing_test

import (
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/seastat"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

var seastatCodec = codectest.Codec[seastat.Statistics]{
	Parse: seastat.Parse, Format: printing.FormatSeastat,
	Report: func(x *seastat.Statistics) *parse.Report { return &x.Report },
}

func TestFormatSeastat(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	s := &seastat.Statistics{Device: "ent8", Clients: []*seastat.Client{
		{MAC: "02:00:00:00:00:0A", VLAN: n(1), Priority: n(0), Hostname: "lpar1", IP: "10.1.0.11",
			Packets: seastat.Directions{Tx: n(19), Rx: n(20)}, Bytes: seastat.Directions{Tx: n(2845), Rx: n(2869)}},
		{MAC: "02:00:00:00:00:0B", VLAN: n(1), Priority: n(0),
			Packets: seastat.Directions{Tx: n(1), Rx: n(2)}, Bytes: seastat.Directions{Tx: n(3), Rx: n(4)}}}}
	codectest.Golden(t, *update, "seastat.golden", []byte(seastatCodec.Printed(t, s)))
}
