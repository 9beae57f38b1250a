package vnicstat_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/vnicstat"
	"seaworthy/dialect/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[vnicstat.Output]{
	Parse: vnicstat.Parse, Format: vnicstat.Format,
	Report: func(o *vnicstat.Output) *dialect.Report { return &o.Report },
}

const sample = `--------------------------------------------------------------------------------
VNIC Server Statistics: vnicserver0
--------------------------------------------------------------------------------
Device Statistics:
------------------                      
State: active
Backing Device Name: ent34

Client Device Location Code: U9000.XXX.0000001-V32-C2

Main CRQ Statistics:
--------------------                    
State: open                             Error Indications: 191
Commands Received: 5944454
Reboots: 3

RX/TX statistics:
-----------------                       
TX:                                     RX:
---                                     ---                                     
Client Descriptors: 8824135891          Client Descriptors: 139036407211
Max VF Descriptors Queued: 4092
Descriptors Pool Full: 7                Descriptors Pool Empty: 43001

Per Sub-CRQ Statistics: 
------------------------                
TX Sub-CRQ:                             RX Sub-CRQ: 
------------                            ------------                            
Queue Size: 1023                        Queue Size: 2048
                                        Buffer Size: 9146

TX Sub-CRQ 1:                           RX Sub-CRQ 1:
-------------                           -------------                           
Client Descriptors: 5                   Client Descriptors: 6

-------------------------------------------------------------

PCIe3 4-Port 10GbE SR Adapter VF 
-------------------------------------------------------------

Device Statistics:
------------------
Physical Port Speed: 10 Gbps Full Duplex
Assigned Interrupt Source Numbers: 1
	776	NIC TX,RX; MGT
Transmit Q0 Statistics:
	Transmit Q Packets: 11
Transmit Q1 Statistics:
	Transmit Q Packets: 22
DCBX Status: Enabled
	Traffic Class	Bandwidth	Priority
`

func TestParse(t *testing.T) {
	o := codec.RoundTrip(t, []byte(sample))
	if len(o.Unknown) > 0 || len(o.Servers) != 1 || o.Servers[0].Name != "vnicserver0" {
		t.Fatalf("got %+v, unknown %v", o.Servers, o.Unknown)
	}
	s := o.Servers[0]
	for _, c := range []struct {
		part, item string
		side       vnicstat.Side
		want       uint64
	}{
		{"Main CRQ Statistics", "Error Indications", "", 191},
		{"Main CRQ Statistics", "Reboots", "", 3},
		{"TX", "Client Descriptors", vnicstat.Tx, 8824135891},
		{"TX", "Client Descriptors", vnicstat.Rx, 139036407211},
		{"TX", "Descriptors Pool Empty", vnicstat.Rx, 43001},
		{"TX", "Max VF Descriptors Queued", vnicstat.Tx, 4092},
		{"TX Sub-CRQ", "Buffer Size", vnicstat.Rx, 9146},
		{"TX Sub-CRQ 1", "Client Descriptors", vnicstat.Rx, 6},
	} {
		p := s.Part(c.part)
		if p == nil {
			t.Errorf("no part %q", c.part)
			continue
		}
		if i := p.Find(c.item, c.side); i == nil || i.Count == nil || *i.Count != c.want || p.Backing {
			t.Errorf("%s, %s %s: got %+v, want %d", c.part, c.item, c.side, i, c.want)
		}
	}
	last := s.Parts[len(s.Parts)-1]
	if i := last.FindUnder("Transmit Q1 Statistics", "Transmit Q Packets"); i == nil || *i.Count != 22 || !last.Backing {
		t.Errorf("Q1 of the backing device: got %+v", i)
	}
	if i := last.Find("Physical Port Speed", ""); i == nil || i.Text != "10 Gbps Full Duplex" {
		t.Errorf("speed: got %+v", i)
	}
	if i := s.Part("TX").Find("Descriptors Pool Empty", vnicstat.Tx); i != nil {
		t.Errorf("Descriptors Pool Empty is no tx counter: got %+v", i)
	}
	for _, text := range []string{"", "vnicstat: no such device\n", "Device Statistics:\n------\nState: up\n"} {
		if _, err := vnicstat.Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

func TestFormatFresh(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	o := &vnicstat.Output{Servers: []*vnicstat.Server{{Name: "vnicserver0", Parts: []*vnicstat.Part{
		{Name: "Device Statistics", Items: []*vnicstat.Item{{Name: "State", Text: "active"}}},
		{Name: "TX", Right: "RX", Items: []*vnicstat.Item{
			{Name: "Client Descriptors", Side: vnicstat.Tx, Count: n(11)}, {Name: "Client Descriptors", Side: vnicstat.Rx, Count: n(12)},
			{Name: "Max VF Descriptors Queued", Side: vnicstat.Tx, Count: n(5)},
			{Name: "VF Descriptors", Side: vnicstat.Tx, Count: n(1)}, {Name: "VF Descriptors", Side: vnicstat.Rx, Count: n(2)},
			{Name: "Buffer Size", Side: vnicstat.Rx, Count: n(9146)}}},
	}}}}
	got := vnicstat.Format(o)
	codectest.Golden(t, *update, "fresh.golden", got)
	again := codec.RoundTrip(t, got)
	if i := again.Servers[0].Part("TX").Find("Buffer Size", vnicstat.Rx); len(again.Unknown) > 0 || i == nil || *i.Count != 9146 {
		t.Errorf("own output: got %+v, unknown %v", i, again.Unknown)
	}
}

func TestCorpus(t *testing.T)  { codec.Corpus(t, "vnicstat/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, []byte(sample)) }

// Side, Under and Backing follow from the headings; names decide them.
func TestEveryValue(t *testing.T) {
	codec.EveryValue(t, []byte(sample), ".Side", ".Under", ".Backing", ".Right", ".Name")
}

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, sample, "VNIC Server Statistics: a\nTX: 1\n"+strings.Repeat(" ", 31)+"RX:\n---\n")
}
