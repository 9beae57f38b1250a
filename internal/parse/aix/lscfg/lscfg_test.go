package lscfg

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[List]{
	Parse:  Parse,
	Report: func(l *List) *parse.Report { return &l.Report },
}

var update = flag.Bool("update", false, "write the golden files")

func TestCorpus(t *testing.T) { codec.Corpus(t, *update, "lscfg/*.txt") }

func TestFast(t *testing.T) {
	codec.Fast(t, detail)
	codec.Fast(t, whole)
}

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

// A page that was copied has lost the blanks before its lines.
func TestOutdented(t *testing.T) {
	var lines []string
	for l := range strings.Lines(detail) {
		lines = append(lines, strings.TrimLeft(l, " "))
	}
	got := codec.Read(t, strings.Join(lines, ""))
	if d := cmp.Diff([]*Resource{adapter}, got.Resources, cmpopts.IgnoreFields(Resource{}, "Line")); d != "" || len(got.Unknown) > 0 {
		t.Errorf("not understood %v (-want +got):\n%s", got.Unknown, d)
	}
}

func TestWhole(t *testing.T) {
	got := codec.Read(t, whole)
	want := []*Resource{
		{Mark: "+", Name: "sys0", Description: "System Object"},
		{Mark: "*", Name: "ent1", Location: "U9009.22A.7800000-V3-C2-T1", Description: "Virtual I/O Ethernet Adapter (l-lan)"},
		{Mark: "+", Name: "hdisk0", Location: "U78D3.001.WZS0000-P1-C3-T1-1", Description: "MPIO Disk"},
	}
	if d := cmp.Diff(want, got.Resources, cmpopts.IgnoreFields(Resource{}, "Line")); d != "" {
		t.Errorf("resources (-want +got):\n%s", d)
	}
	if !got.Whole || got.Architecture != "chrp" || len(got.Unknown)+len(got.Warnings) > 0 {
		t.Errorf("got %+v", got)
	}
}

func TestParse(t *testing.T) {
	l := codec.Read(t, detail)
	r := find(l, "ent0")
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
	l = codec.Read(t, old)
	if r := find(l, "ent1"); r == nil || r.Location != "10-70" || r.Description != "10/100 Mbps Ethernet Adapter (23100020)" {
		t.Errorf("wrapped description: got %+v", r)
	}
}

func TestDamaged(t *testing.T) {
	codec.Damaged(t, detail)
	codec.Damaged(t, whole)
}

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "nothing of the kind\n", "<html>\n"} {
		if l, err := Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, l, err, parse.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) { codec.Fuzz(f, detail, whole) }

// find is the resource of a name; nil if it is not listed.
func find(l *List, name string) *Resource {
	for _, r := range l.Resources {
		if r.Name == name {
			return r
		}
	}
	return nil
}
