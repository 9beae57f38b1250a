package linewise

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var slotsCodec = codectest.Codec[SlotList]{
	Parse:  ParseSlots,
	Report: func(l *SlotList) *parse.Report { return &l.Report },
}

const slotsSample = `# Slot                    Description       Device(s)
U78CB.001.WZS0001-P1-C2   Logical I/O Slot  pci0 ent0 ent1
                                            ent2 ent3
U78CB.001.WZS0001-P1-C5   Logical I/O Slot
U9009.22A.7812345-V1-C0   Virtual I/O Slot  vsa0
U9009.22A.7812345-V1-C4   Virtual I/O Slot  ent4
U9009.22A.7812345-V1-C30  Virtual I/O Slot  vhost0
`

func TestParseSlots(t *testing.T) {
	l := slotsCodec.Read(t, slotsSample)
	want := []*Slot{
		{Location: "U78CB.001.WZS0001-P1-C2", Description: "Logical I/O Slot", Devices: []string{"pci0", "ent0", "ent1", "ent2", "ent3"}, Line: 2},
		{Location: "U78CB.001.WZS0001-P1-C5", Description: "Logical I/O Slot", Line: 4},
		{Location: "U9009.22A.7812345-V1-C0", Description: "Virtual I/O Slot", Devices: []string{"vsa0"}, Line: 5},
		{Location: "U9009.22A.7812345-V1-C4", Description: "Virtual I/O Slot", Devices: []string{"ent4"}, Line: 6},
		{Location: "U9009.22A.7812345-V1-C30", Description: "Virtual I/O Slot", Devices: []string{"vhost0"}, Line: 7},
	}
	if diff := cmp.Diff(want, l.Slots); diff != "" {
		t.Errorf("slots (-want +got):\n%s", diff)
	}
	if len(l.Unknown) > 0 {
		t.Errorf("not understood: %v", l.Unknown)
	}
}

func TestSlotsParseOthers(t *testing.T) {
	for _, c := range []struct {
		name, text     string
		slots, unknown int
	}{
		{"a damaged slot keeps its devices", "# Slot Description Device(s)\nU78CB.001.WZS0001-P1-C2 Logical I/O Slot ent0\nU78CB.0\xff1.WZS0001-P1-C3 Logical I/O Slot ent1\n          ent2\n", 1, 2},
		{"a damaged device", "# Slot Description Device(s)\nU78CB.001.WZS0001-P1-C2 Logical I/O Slot en~0\n", 0, 1},
		{"only the heading", "# Slot Description Device(s)\n", 0, 0},
		{"a message", "rksh: lsdev: not found\n", 0, 0},
	} {
		l := slotsCodec.Read(t, c.text)
		if len(l.Slots) != c.slots || len(l.Unknown) != c.unknown {
			t.Errorf("%s: got %d slots, %d lines not understood, want %d, %d", c.name, len(l.Slots), len(l.Unknown), c.slots, c.unknown)
		}
	}
	for _, text := range []string{"", "\n", "name status description\n", "U78CB.001.WZS0001-P1-C2 Logical I/O Slot ent0\n"} {
		if l, err := ParseSlots([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, l, err, parse.ErrNotRecognised)
		}
	}
}
