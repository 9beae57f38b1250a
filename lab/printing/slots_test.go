package printing_test

import (
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

var slotsCodec = codectest.Codec[linewise.SlotList]{
	Parse: linewise.ParseSlots, Format: printing.FormatSlots,
	Report: func(x *linewise.SlotList) *parse.Report { return &x.Report },
}

func TestFormatSlots(t *testing.T) {
	l := &linewise.SlotList{Slots: []*linewise.Slot{{Location: "U9009.22A.7812345-V1-C4", Description: "Virtual I/O Slot", Devices: []string{"ent4"}},
		{Location: "U78CB.001.WZS0001-P1-C5", Description: "Logical I/O Slot"}}}
	want := "# Slot                    Description       Device(s)\nU9009.22A.7812345-V1-C4   Virtual I/O Slot  ent4\nU78CB.001.WZS0001-P1-C5   Logical I/O Slot\n"
	if got := slotsCodec.Printed(t, l); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
