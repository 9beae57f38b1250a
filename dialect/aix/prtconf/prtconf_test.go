package prtconf

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/lscfg"
	"seaworthy/dialect/codectest"
)

var codec = codectest.Codec[Config]{
	Parse: Parse, Format: Format,
	Report: func(c *Config) *dialect.Report { return &c.Report },
}

func TestCorpus(t *testing.T) { codec.Corpus(t, "prtconf/*.txt") }

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
	c := codec.RoundTrip(t, []byte(sample))
	if got, want := c.Machine(), "9009-22A*7800000"; got != want {
		t.Errorf("machine: got %q, want %q", got, want)
	}
	if n, name, ok := c.LPAR(); !ok || n != 3 || name != "lpar1" {
		t.Errorf("LPAR: got %d %q %v", n, name, ok)
	}
	if n, ok := c.Processors(); !ok || n != 2 {
		t.Errorf("processors: got %d %v", n, ok)
	}
	if n, ok := c.MemoryMB(); !ok || n != 8192 {
		t.Errorf("memory: got %d %v", n, ok)
	}
	if v, ok := c.Get("Network Information", "Sub Netmask"); !ok || v != "" {
		t.Errorf("netmask: got %q %v; want empty and printed", v, ok)
	}
	if c.Installed == nil || c.Installed.Get("ent0") == nil {
		t.Errorf("ent0 is not among the installed resources: %+v", c.Installed)
	}
}

func TestUnknownIsNotZero(t *testing.T) {
	c := codec.RoundTrip(t, []byte("System Model: IBM pSeries (emulated by qemu)\nMachine Serial Number: Not Available\nNumber Of Processors: zwei\n"))
	if got := c.Machine(); got != "" {
		t.Errorf("machine: got %q, want unknown", got)
	}
	if n, ok := c.Processors(); ok {
		t.Errorf("processors: got %d, want unknown", n)
	}
	if n, ok := c.MemoryMB(); ok {
		t.Errorf("memory: got %d, want unknown", n)
	}
}

func TestFormatFromScratch(t *testing.T) {
	const network = "Network Information"
	c := New(lscfg.NewWhole("chrp", "Multiple Processor, PCI bus",
		&lscfg.Resource{Mark: "+", Name: "sys0", Description: "System Object"},
		&lscfg.Resource{Mark: "*", Name: "ent0", Location: "U9009.22A.7800000-V3-C2-T1", Description: "Virtual I/O Ethernet Adapter (l-lan)"}),
		Item{Label: "System Model", Value: "IBM,9009-22A"},
		Item{Label: "Machine Serial Number", Value: "7800000"},
		Item{Label: "Number Of Processors", Value: "2"},
		Item{Label: "LPAR Info", Value: "3 lpar1"},
		Item{Label: "Memory Size", Value: "8192 MB"},
		Item{Section: network, Label: "Host Name", Value: "lpar1"},
		Item{Section: network, Label: "IP Address", Value: "192.0.2.17"},
		Item{Section: network, Label: "Sub Netmask"})
	if d := cmp.Diff(sample, string(Format(c))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestEveryValueIsPrinted(t *testing.T) {
	// A section stands in a heading; forms and marks are lscfg's to test.
	codec.EveryValue(t, []byte(sample), ".Section", ".Whole", ".Mark")
}

func TestDamaged(t *testing.T) { codec.Damaged(t, []byte(sample)) }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "nothing of the kind\n", "a: b\nc: d\n"} {
		if c, err := Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, c, err, dialect.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) { codec.Fuzz(f, sample) }
