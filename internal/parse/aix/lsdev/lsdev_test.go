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
	Parse:  Parse,
	Report: func(l *List) *parse.Report { return &l.Report },
}

var update = flag.Bool("update", false, "write golden files")

func TestCorpus(t *testing.T) { codec.Corpus(t, *update, "lsdev/*.txt", "lsdev_adapter/*.txt") }

// forms are the same devices in the forms of lsdev: -C, -C -H, that of a VIOS, and -F.
var forms = []string{
	`ent0  Available              Virtual I/O Ethernet Adapter (l-lan)
ent10 Available 00-08        PCIe3 4-Port 10GbE SR Adapter
ent11 Defined                EtherChannel / IEEE 802.3ad Link Aggregation
scsi0 Available 10-80-00-4,0 16 Bit LVD SCSI Disk Drive
`,
	`name  status    location     description

ent0  Available              Virtual I/O Ethernet Adapter (l-lan)
ent10 Available 00-08        PCIe3 4-Port 10GbE SR Adapter
ent11 Defined                EtherChannel / IEEE 802.3ad Link Aggregation
scsi0 Available 10-80-00-4,0 16 Bit LVD SCSI Disk Drive
`,
	`name             status      description
ent0             Available   Virtual I/O Ethernet Adapter (l-lan)
ent10            Available   PCIe3 4-Port 10GbE SR Adapter
ent11            Defined     EtherChannel / IEEE 802.3ad Link Aggregation
scsi0            Available   16 Bit LVD SCSI Disk Drive
`,
	`ent0:Available::Virtual I/O Ethernet Adapter (l-lan)
ent10:Available:00-08:PCIe3 4-Port 10GbE SR Adapter
ent11:Defined::EtherChannel / IEEE 802.3ad Link Aggregation
scsi0:Available:10-80-00-4,0:16 Bit LVD SCSI Disk Drive
`,
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
	for _, text := range forms {
		codec.Damaged(t, text)
	}
}

func TestFast(t *testing.T) { codec.Fast(t, forms[0]) }

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "\n", "no such thing here\n", "<p>Not Found</p>\n"} {
		if l, err := Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, l, err, parse.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, append([]string{"ent0\nent10\nent11\nscsi0\n"}, forms...)...)
}
