package lsdev

import (
	"errors"
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[List]{
	Parse: Parse, Format: Format,
	Report: func(l *List) *parse.Report { return &l.Report },
}

var update = flag.Bool("update", false, "write golden files")

func TestCorpus(t *testing.T) { codec.Corpus(t, *update, "lsdev/*.txt", "lsdev_adapter/*.txt") }

// headed is lsdev -C -H.
var headed = Form{Kind: Table, Heading: true}

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
		{"C, no location", &List{Form: C(), Devices: []Device{devices[0]}}, "ent0 Available  Virtual I/O Ethernet Adapter (l-lan)\n"},
		{"C", &List{Form: C(), Devices: devices}, `ent0  Available              Virtual I/O Ethernet Adapter (l-lan)
ent10 Available 00-08        PCIe3 4-Port 10GbE SR Adapter
ent11 Defined                EtherChannel / IEEE 802.3ad Link Aggregation
scsi0 Available 10-80-00-4,0 16 Bit LVD SCSI Disk Drive
`},
		{"CH", &List{Form: headed, Devices: []Device{devices[0]}}, `name status    location description

ent0 Available          Virtual I/O Ethernet Adapter (l-lan)
`},
		{"VIOS", &List{Form: V(), Devices: []Device{devices[0], devices[2]}}, `name             status      description
ent0             Available   Virtual I/O Ethernet Adapter (l-lan)
ent11            Defined     EtherChannel / IEEE 802.3ad Link Aggregation
`},
		{"F", &List{Form: F("name:status:description"), Devices: []Device{devices[2]}}, "ent11:Defined:EtherChannel / IEEE 802.3ad Link Aggregation\n"},
		{"F aligned", &List{Form: F("name status"), Devices: []Device{devices[0], devices[1]}}, "ent0  Available\nent10 Available\n"},
	} {
		got := string(Format(c.list))
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
		l := codec.Read(t, got)
		if len(l.Devices) != len(c.list.Devices) || len(l.Unknown) > 0 {
			t.Errorf("%s: read back %d devices, unknown %v, want %d", c.name, len(l.Devices), l.Unknown, len(c.list.Devices))
			continue
		}
		for i, d := range l.Devices {
			want := c.list.Devices[i]
			if d.Name != want.Name || d.Status != want.Status ||
				c.name != "F aligned" && d.Description != want.Description || l.Form.Kind == Table && c.name != "F aligned" && d.Location != want.Location {
				t.Errorf("%s: read back %+v, want %+v", c.name, d, want)
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
			l := codec.Read(t, c.text)
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

func TestDamaged(t *testing.T) {
	for _, form := range []Form{C(), headed, V(), F("name:status:location:description")} {
		codec.Damaged(t, string(Format(&List{Form: form, Devices: devices})))
	}
}

func TestFast(t *testing.T) { codec.Fast(t, string(Format(&List{Form: C(), Devices: devices}))) }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "no such thing here\n", "<p>Not Found</p>\n"} {
		if l, err := Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, l, err, parse.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) {
	var seeds []string
	for _, form := range []Form{C(), headed, V(), F("name:status:description"), F("name")} {
		seeds = append(seeds, string(Format(&List{Form: form, Devices: devices})))
	}
	codec.Fuzz(f, seeds...)
}
