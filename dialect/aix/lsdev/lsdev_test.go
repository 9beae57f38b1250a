package lsdev

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
)

var codec = codectest.Codec[List]{
	Parse: Parse, Format: Format,
	Report: func(l *List) *dialect.Report { return &l.Report },
}

func TestCorpus(t *testing.T) { codec.Corpus(t, "lsdev/*.txt", "lsdev_adapter/*.txt") }

var devices = []Device{
	{Name: "ent0", Status: "Available", Description: "Virtual I/O Ethernet Adapter (l-lan)"},
	{Name: "ent10", Status: "Available", Location: "00-08", Description: "PCIe3 4-Port 10GbE SR Adapter"},
	{Name: "ent11", Status: "Defined", Description: "EtherChannel / IEEE 802.3ad Link Aggregation"},
	{Name: "scsi0", Status: "Available", Location: "10-80-00-4,0", Description: "16 Bit LVD SCSI Disk Drive"},
}

func TestFormatFromScratch(t *testing.T) {
	for _, c := range []struct {
		name string
		list *List
		want string
	}{
		{"C, no location", New(C(), devices[0]), "ent0 Available  Virtual I/O Ethernet Adapter (l-lan)\n"},
		{"C", New(C(), devices...), `ent0  Available              Virtual I/O Ethernet Adapter (l-lan)
ent10 Available 00-08        PCIe3 4-Port 10GbE SR Adapter
ent11 Defined                EtherChannel / IEEE 802.3ad Link Aggregation
scsi0 Available 10-80-00-4,0 16 Bit LVD SCSI Disk Drive
`},
		{"CH", New(CH(), devices[0]), `name status    location description

ent0 Available          Virtual I/O Ethernet Adapter (l-lan)
`},
		{"VIOS", New(V(), devices[0], devices[2]), `name             status      description
ent0             Available   Virtual I/O Ethernet Adapter (l-lan)
ent11            Defined     EtherChannel / IEEE 802.3ad Link Aggregation
`},
		{"F", New(F("name:status:description"), devices[2]), "ent11:Defined:EtherChannel / IEEE 802.3ad Link Aggregation\n"},
		{"F aligned", New(F("name status"), devices[0], devices[1]), "ent0  Available\nent10 Available\n"},
	} {
		got := string(Format(c.list))
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
		if l := codec.RoundTrip(t, []byte(got)); c.list.Form.Kind != Fields {
			for i, d := range l.Devices {
				want := c.list.Devices[i]
				if d.Name != want.Name || d.Status != want.Status || d.Location != want.Location || d.Description != want.Description {
					t.Errorf("%s: read back %+v, want %+v", c.name, d, want)
				}
			}
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       map[string][3]string // status, location, description
	}{
		{"collapsed", "ent0 Available Virtual I/O Ethernet Adapter (l-lan)\nent1 Available 00-08 2-Port Gigabit\nent2 Defined VLAN\n",
			map[string][3]string{"ent0": {"Available", "", "Virtual I/O Ethernet Adapter (l-lan)"}, "ent1": {"Available", "00-08", "2-Port Gigabit"}, "ent2": {"Defined", "", "VLAN"}}},
		{"odd location", "ent0 Available 00-08 One\nent1 Available Z1x   Two\nent2 Available       Three\n",
			map[string][3]string{"ent0": {"Available", "00-08", "One"}, "ent1": {"Available", "Z1x", "Two"}, "ent2": {"Available", "", "Three"}}},
		{"VIOS, other locale", "name             status      description\nent0             Verfügbar   Gemeinsam genutzter Adapter\n",
			map[string][3]string{"ent0": {"Verfügbar", "", "Gemeinsam genutzter Adapter"}}},
		{"VIOS, long name", "name             status      description\na_very_long_device_name0 Available   Shared Ethernet Adapter\n",
			map[string][3]string{"a_very_long_device_name0": {"Available", "", "Shared Ethernet Adapter"}}},
		{"with a message", "ent0 Available  One\nlsdev: 0514-521 Cannot find information in the predefined device\n\tconfiguration database for ent1.\nent2 Defined    Two\n",
			map[string][3]string{"ent0": {"Available", "", "One"}, "ent2": {"Defined", "", "Two"}}},
		{"guessed", "ent0:Available:U78D3.001.WZS0002-P1-C3-T1:PCIe3: 4 ports\nent1:Defined::VLAN\n",
			map[string][3]string{"ent0": {"Available", "", "PCIe3: 4 ports"}, "ent1": {"Defined", "", "VLAN"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := codec.RoundTrip(t, []byte(c.text))
			got := map[string][3]string{}
			for _, d := range l.Devices {
				got[d.Name] = [3]string{d.Status, d.Location, d.Description}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("devices differ (-want +got):\n%s", d)
			}
			if len(l.Unknown) > 0 {
				t.Errorf("not understood: %v", l.Unknown)
			}
		})
	}
}

func TestEveryValueIsPrinted(t *testing.T) {
	for _, form := range []Form{C(), CH(), V(), F("name:status:location:description")} {
		codec.EveryValue(t, Format(New(form, devices...)), ".Form", ".Location") // a location of no known shape is tested above
	}
}

func TestDamaged(t *testing.T) {
	for _, form := range []Form{C(), CH(), V(), F("name:status:location:description")} {
		t.Run(strings.TrimSpace(string(form.Kind)), func(t *testing.T) { codec.Damaged(t, Format(New(form, devices...))) })
	}
}

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "no such thing here\n", "<p>Not Found</p>\n"} {
		if l, err := Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, l, err, dialect.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) {
	var seeds []string
	for _, form := range []Form{C(), CH(), V(), F("name:status:description"), F("name")} {
		seeds = append(seeds, string(Format(New(form, devices...))))
	}
	codec.Fuzz(f, seeds...)
}

func FuzzParseForm(f *testing.F) {
	f.Add([]byte("ent0:Available:Shared Ethernet Adapter\n"), "name:status:description")
	f.Add([]byte("ent0 ibm_ech\r\n"), "name type")
	f.Fuzz(func(t *testing.T, text []byte, format string) {
		l, err := ParseForm(text, F(format))
		if err != nil {
			return
		}
		if got := Format(l); string(got) != string(text) {
			t.Errorf("Format(ParseForm(x, %q)): got %q, want %q", format, got, text)
		}
	})
}
