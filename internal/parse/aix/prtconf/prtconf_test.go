package prtconf

import (
	"errors"
	"flag"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lscfg"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[Config]{
	Parse:  Parse,
	Report: func(c *Config) *parse.Report { return &c.Report },
}

var update = flag.Bool("update", false, "write the golden files")

func TestCorpus(t *testing.T) { codec.Corpus(t, *update, "prtconf/*.txt") }

func TestFast(t *testing.T) { codec.Fast(t, sample) }

const sample = `System Model: IBM,9009-22A
Machine Serial Number: 7800000
Number Of Processors: 2
LPAR Info: 3 lpar1
Memory Size: 8192 MB
 
Network Information
	Host Name: lpar1
	IP Address: 192.0.2.17
	Sub Netmask: 
 
INSTALLED RESOURCE LIST

The following resources are installed on the machine.
+/- = Added or deleted from Resource List.
*   = Diagnostic support not available.
	
  Model Architecture: chrp
  Model Implementation: Multiple Processor, PCI bus
	
+ sys0                                         System Object
* ent0             U9009.22A.7800000-V3-C2-T1  Virtual I/O Ethernet Adapter (l-lan)
`

func TestParse(t *testing.T) {
	c := codec.Read(t, sample)
	if got, want := c.Machine(), "9009-22A*7800000"; got != want {
		t.Errorf("machine: got %q, want %q", got, want)
	}
	if n, name, ok := c.LPAR(); !ok || n != 3 || name != "lpar1" {
		t.Errorf("LPAR: got %d %q %v", n, name, ok)
	}
	if v, ok := c.Get("Network Information", "Sub Netmask"); !ok || v != "" {
		t.Errorf("netmask: got %q %v; want empty and printed", v, ok)
	}
	if c.Installed == nil || !slices.ContainsFunc(c.Installed.Resources, func(r *lscfg.Resource) bool { return r.Name == "ent0" }) {
		t.Errorf("ent0 is not among the installed resources: %+v", c.Installed)
	}
}

func TestUnknownIsNotZero(t *testing.T) {
	c := codec.Read(t, "System Model: IBM pSeries (emulated by qemu)\nMachine Serial Number: Not Available\nNumber Of Processors: zwei\n")
	if got := c.Machine(); got != "" {
		t.Errorf("machine: got %q, want unknown", got)
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, sample) }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "nothing of the kind\n", "a: b\nc: d\n"} {
		if c, err := Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, c, err, parse.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) { codec.Fuzz(f, sample) }

// Among the volume groups only their own lines are understood.
func TestVolumeGroups(t *testing.T) {
	text := "System Model: IBM,8284-22A\nMachine Serial Number: 212131W\n\nVolume Groups Information\n" + strings.Repeat("=", 78) + "\nActive VGs\n" +
		strings.Repeat("=", 78) + "\nrootvg:\nPV_NAME           PV STATE          TOTAL PPs   FREE PPs    FREE DISTRIBUTION\n" +
		"hdisk0            active            639         0           00..00..00..00..00\nhdisk1            active            319         253         64\n"
	words := "konimex comments:\nWe can probably use vmstat.\nWhat does it print here?\n"
	c, err := Parse([]byte(text))
	if err != nil || len(c.Unknown) > 0 {
		t.Errorf("%v: not understood: %v", err, c.Unknown)
	}
	c, err = Parse([]byte(text + "\n" + words))
	if err != nil || len(c.Unknown) < 2 {
		t.Errorf("%v: not understood: %v, want the words of somebody", err, c.Unknown)
	}
}
