package printing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

const errptShort = `IDENTIFIER TIMESTAMP  T C RESOURCE_NAME  DESCRIPTION
59224136   1103142525 P H ent2           ETHERNET DOWN
A6DF45AA   1101090025 I O RMCdaemon      The daemon is started.
2BFA76F6   1031235925 T S SYSPROC        SYSTEM SHUTDOWN BY USER
`

var errptCodec = codectest.Codec[linewise.ErrorReport]{
	Parse: linewise.ParseErrpt, Format: printing.FormatErrpt,
	Report: func(x *linewise.ErrorReport) *parse.Report { return &x.Report },
}

func TestFormatErrpt(t *testing.T) {
	r := &linewise.ErrorReport{Entries: []*linewise.ErrorEntry{
		{ID: "59224136", Stamp: "1103142525", Type: "P", Class: "H", Resource: "ent2", Description: "ETHERNET DOWN"},
		{ID: "A6DF45AA", Stamp: "1101090025", Type: "I", Class: "O", Resource: "RMCdaemon", Description: "The daemon is started."},
		{ID: "2BFA76F6", Stamp: "1031235925", Type: "T", Class: "S", Resource: "SYSPROC", Description: "SYSTEM SHUTDOWN BY USER"},
	}}
	if d := cmp.Diff(errptShort, errptCodec.Printed(t, r)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := printing.FormatErrpt(&linewise.ErrorReport{}); len(got) != 0 {
		t.Errorf("no errors: got %q, want nothing", got)
	}
}
