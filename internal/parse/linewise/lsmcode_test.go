package linewise

import "testing"

const microcodeSample = `sys0!system:VL940_050 (t) VL940_041 (p) VL940_050 (t)
ent0!e4148e1614109204.30100310
ent4!df1020e21410.00011000040041500016
`

const microcodeMenu = `DISPLAY MICROCODE LEVEL                                                   802811
IBM,9009-42A

The current permanent system firmware image is VL940_041
The current temporary system firmware image is VL940_050
The system is currently booted from the permanent firmware image.
`

func TestParseMicrocode(t *testing.T) {
	for text, want := range map[string]string{
		microcodeSample: "VL940_050", microcodeMenu: "VL940_041", "Platform Firmware level is EM350_149\n": "EM350_149",
	} {
		l, err := ParseMicrocode([]byte(text))
		if err != nil || l.System != want || len(l.Unknown) > 0 {
			t.Errorf("%q: got %+v, %v; want %s", text, l, err, want)
		}
	}
	l, err := ParseMicrocode([]byte(microcodeSample))
	if err != nil || len(l.Devices) != 3 || *l.Devices[1] != (Microcode{"ent0", "e4148e1614109204", "30100310"}) {
		t.Errorf("got %+v, %v; want the level of ent0", l, err)
	}
}
