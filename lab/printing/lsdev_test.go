package printing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/test/codectest"
	"seaworthy/lab/printing"
)

var devices = []lsdev.Device{
	{Name: "ent0", Status: "Available", Description: "Virtual I/O Ethernet Adapter (l-lan)"},
	{Name: "ent10", Status: "Available", Location: "00-08", Description: "PCIe3 4-Port 10GbE SR Adapter"},
	{Name: "ent11", Status: "Defined", Description: "EtherChannel / IEEE 802.3ad Link Aggregation"},
	{Name: "scsi0", Status: "Available", Location: "10-80-00-4,0", Description: "16 Bit LVD SCSI Disk Drive"},
}

var lsdevCodec = codectest.Codec[lsdev.List]{
	Parse: lsdev.Parse, Format: printing.FormatLsdev,
	Report: func(x *lsdev.List) *parse.Report { return &x.Report },
}

func TestFormatLsdev(t *testing.T) {
	for _, c := range []struct {
		name string
		list *lsdev.List
		want string
	}{
		{"C, no location", &lsdev.List{Form: lsdev.C(), Devices: []lsdev.Device{devices[0]}}, "ent0 Available  Virtual I/O Ethernet Adapter (l-lan)\n"},
		{"C", &lsdev.List{Form: lsdev.C(), Devices: devices}, `ent0  Available              Virtual I/O Ethernet Adapter (l-lan)
ent10 Available 00-08        PCIe3 4-Port 10GbE SR Adapter
ent11 Defined                EtherChannel / IEEE 802.3ad Link Aggregation
scsi0 Available 10-80-00-4,0 16 Bit LVD SCSI Disk Drive
`},
		{"CH", &lsdev.List{Form: lsdev.Form{Kind: lsdev.Table, Heading: true}, Devices: []lsdev.Device{devices[0]}}, `name status    location description

ent0 Available          Virtual I/O Ethernet Adapter (l-lan)
`},
		{"VIOS", &lsdev.List{Form: lsdev.V(), Devices: []lsdev.Device{devices[0], devices[2]}}, `name             status      description
ent0             Available   Virtual I/O Ethernet Adapter (l-lan)
ent11            Defined     EtherChannel / IEEE 802.3ad Link Aggregation
`},
		{"F", &lsdev.List{Form: lsdev.F("name:status:description"), Devices: []lsdev.Device{devices[2]}}, "ent11:Defined:EtherChannel / IEEE 802.3ad Link Aggregation\n"},
		{"F aligned", &lsdev.List{Form: lsdev.F("name status"), Devices: []lsdev.Device{devices[0], devices[1]}}, "ent0  Available\nent10 Available\n"},
	} {
		got := string(printing.FormatLsdev(c.list))
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
		l := lsdevCodec.Read(t, got)
		if len(l.Devices) != len(c.list.Devices) || len(l.Unknown) > 0 {
			t.Errorf("%s: read back %d devices, unknown %v, want %d", c.name, len(l.Devices), l.Unknown, len(c.list.Devices))
			continue
		}
		for i, d := range l.Devices {
			want := c.list.Devices[i]
			if d.Name != want.Name || d.Status != want.Status ||
				c.name != "F aligned" && d.Description != want.Description || l.Form.Kind == lsdev.Table && c.name != "F aligned" && d.Location != want.Location {
				t.Errorf("%s: read back %+v, want %+v", c.name, d, want)
			}
		}
	}
}
