package lscfg

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
)

var codec = codectest.Codec[List]{
	Parse: Parse, Format: Format,
	Report: func(l *List) *dialect.Report { return &l.Report },
}

func TestCorpus(t *testing.T) { codec.Corpus(t, "lscfg/*.txt") }

const detail = `  ent0             U78D3.001.WZS0000-P1-C3-T1  PCIe3 4-Port 10GbE SR Adapter (df1020e21410e304)

      PCIe3 4-port 10GbE SR Adapter:
        Part Number.................00E2715
        Network Address.............98BE94000001
        ROM Level.(alterable).......11.4.4.11
        Brand.......................
        Device Specific.(YL)........U78D3.001.WZS0000-P1-C3-T1

`

var adapter = &Resource{
	Name: "ent0", Location: "U78D3.001.WZS0000-P1-C3-T1",
	Description: "PCIe3 4-Port 10GbE SR Adapter (df1020e21410e304)",
	Product:     "PCIe3 4-port 10GbE SR Adapter",
	VPD: []Item{
		{"Part Number", "00E2715"}, {"Network Address", "98BE94000001"},
		{"ROM Level.(alterable)", "11.4.4.11"}, {"Brand", ""},
		{"Device Specific.(YL)", "U78D3.001.WZS0000-P1-C3-T1"},
	},
}

const whole = `INSTALLED RESOURCE LIST

The following resources are installed on the machine.
+/- = Added or deleted from Resource List.
*   = Diagnostic support not available.
	
  Model Architecture: chrp
  Model Implementation: Multiple Processor, PCI bus
	
+ sys0                                          System Object
* ent1             U9009.22A.7800000-V3-C2-T1   Virtual I/O Ethernet Adapter (l-lan)
+ hdisk0           U78D3.001.WZS0000-P1-C3-T1-1 MPIO Disk
`

func TestFormatFromScratch(t *testing.T) {
	if d := cmp.Diff(detail, string(Format(New(adapter)))); d != "" {
		t.Errorf("-vl (-want +got):\n%s", d)
	}
	l := NewWhole("chrp", "Multiple Processor, PCI bus",
		&Resource{Mark: "+", Name: "sys0", Description: "System Object"},
		&Resource{Mark: "*", Name: "ent1", Location: "U9009.22A.7800000-V3-C2-T1", Description: "Virtual I/O Ethernet Adapter (l-lan)"})
	got := codec.RoundTrip(t, Format(l))
	for i, r := range got.Resources {
		w := l.Resources[i]
		if r.Mark != w.Mark || r.Name != w.Name || r.Location != w.Location || r.Description != w.Description {
			t.Errorf("resource %d: got %+v, want %+v", i, r, w)
		}
	}
	if got.Architecture != "chrp" || len(got.Resources) != 2 || len(got.Unknown) > 0 {
		t.Errorf("got %+v", got)
	}
}

func TestParse(t *testing.T) {
	l := codec.RoundTrip(t, []byte(detail))
	r := l.Get("ent0")
	if r == nil {
		t.Fatalf("ent0 was not read: %+v", l)
	}
	if got, want := r.MAC(), "98:be:94:00:00:01"; got != want {
		t.Errorf("MAC: got %q, want %q", got, want)
	}
	if got, ok := r.Field("ROM Level (alterable)"); !ok || got != "11.4.4.11" {
		t.Errorf("ROM level: got %q, %v", got, ok)
	}
	if got, ok := r.Field("Brand"); !ok || got != "" {
		t.Errorf("Brand: got %q, %v; want empty and printed", got, ok)
	}
	if _, ok := r.Field("FRU Number"); ok {
		t.Error("FRU Number is not printed and was found")
	}
	old := "  DEVICE            LOCATION          DESCRIPTION\n\t\n" +
		"  ent1              10-70             10/100 Mbps Ethernet\n                                      Adapter (23100020)\n\n        Network Address.............002035000001\n"
	l = codec.RoundTrip(t, []byte(old))
	if r := l.Get("ent1"); r == nil || r.Location != "10-70" || r.Description != "10/100 Mbps Ethernet Adapter (23100020)" {
		t.Errorf("wrapped description: got %+v", r)
	}
}

func TestEveryValueIsPrinted(t *testing.T) {
	codec.EveryValue(t, []byte(detail), ".Whole")         // a form
	codec.EveryValue(t, []byte(whole), ".Whole", ".Mark") // a form; two letters are no mark
}

func TestDamaged(t *testing.T) {
	codec.Damaged(t, []byte(detail))
	codec.Damaged(t, []byte(whole))
}

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "nothing of the kind\n", "<html>\n"} {
		if l, err := Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, l, err, dialect.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) { codec.Fuzz(f, detail, whole) }
