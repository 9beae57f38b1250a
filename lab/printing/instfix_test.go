package printing_test

import (
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

const instfixSample = "    All filesets for IV00001 were found.\n    Not all filesets for IV00002 were found.\n    There was no data for IV00003 in the fix database.\n"

var instfixCodec = codectest.Codec[linewise.FixList]{
	Parse: linewise.ParseInstfix, Format: printing.FormatInstfix,
	Report: func(x *linewise.FixList) *parse.Report { return &x.Report },
}

func TestFormatInstfix(t *testing.T) {
	l := &linewise.FixList{Fixes: []*linewise.Fix{{Name: "IV00001", State: linewise.FixComplete}, {Name: "IV00002", State: linewise.FixPartial}, {Name: "IV00003", State: linewise.FixUnknown}}}
	if got := instfixCodec.Printed(t, l); got != instfixSample {
		t.Errorf("got %q, want %q", got, instfixSample)
	}
}
