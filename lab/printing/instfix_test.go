package printing_test

import (
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/instfix"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

const instfixSample = "    All filesets for IV00001 were found.\n    Not all filesets for IV00002 were found.\n    There was no data for IV00003 in the fix database.\n"

var instfixCodec = codectest.Codec[instfix.List]{
	Parse: instfix.Parse, Format: printing.FormatInstfix,
	Report: func(x *instfix.List) *parse.Report { return &x.Report },
}

func TestFormatInstfix(t *testing.T) {
	l := &instfix.List{Fixes: []*instfix.Fix{{Name: "IV00001", State: instfix.All}, {Name: "IV00002", State: instfix.Some}, {Name: "IV00003", State: instfix.Unknown}}}
	if got := instfixCodec.Printed(t, l); got != instfixSample {
		t.Errorf("got %q, want %q", got, instfixSample)
	}
}
