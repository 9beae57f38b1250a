package vnicstat_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/vnicstat"
	"seaworthy/internal/parse/labels"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[vnicstat.Output]{
	Parse:  vnicstat.Parse,
	Report: func(o *vnicstat.Output) *parse.Report { return &o.Report },
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
	o := codec.Read(t, sample)
	if len(o.Unknown) > 0 || len(o.Servers) != 1 || o.Servers[0].Name != "vnicserver0" {
		t.Fatalf("got %+v, unknown %v", o.Servers, o.Unknown)
	}
	s := o.Servers[0]
	for _, c := range []struct {
		label string
		side  labels.Side
		want  uint64
	}{
		{"Error Indications", "", 191}, {"Reboots", "", 3}, {"Client Descriptors", labels.Transmit, 8824135891},
		{"Client Descriptors", labels.Receive, 139036407211}, {"Descriptors Pool Empty", labels.Receive, 43001},
		{"Max VF Descriptors Queued", "", 4092}, {"Buffer Size", labels.Receive, 9146},
	} {
		f := s.Find(c.label, c.side)
		if n := f.Count(); n == nil || *n != c.want {
			t.Errorf("%s %s: got %+v, want %d", c.label, c.side, f, c.want)
		}
	}
	if f := s.Find("Descriptors Pool Empty", labels.Transmit); f != nil {
		t.Errorf("Descriptors Pool Empty is no tx counter: got %+v", f)
	}
	if f := s.Find("Physical Port Speed", ""); f != nil {
		t.Errorf("the backing device's speed: got %+v among the server's", f)
	}
	if s.Backing == nil || s.Backing.Name != "PCIe3 4-Port 10GbE SR Adapter VF" {
		t.Fatalf("got %+v, want a backing device", s.Backing)
	}
	if f := labels.Find(s.Backing.Fields, "Physical Port Speed"); f.String() != "10 Gbps Full Duplex" {
		t.Errorf("speed: got %+v", f)
	}
	for _, text := range []string{"", "vnicstat: no such device\n", "Device Statistics:\n------\nState: up\n"} {
		if _, err := vnicstat.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

func TestCorpus(t *testing.T)  { codec.Corpus(t, *update, "vnicstat/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, sample) }
func TestFast(t *testing.T)    { codec.Fast(t, sample) }

func FuzzParse(f *testing.F) {
	codec.Fuzz(f, sample, "VNIC Server Statistics: a\nTX: 1\n"+strings.Repeat(" ", 31)+"RX:\n---\n")
}
