package seastat_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/seastat"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[seastat.Statistics]{
	Parse:  seastat.Parse,
	Report: func(s *seastat.Statistics) *parse.Report { return &s.Report },
}

const sample = `================================================================================

Advanced Statistics for SEA
Device Name: ent8 

================================================================================
MAC: 02:00:00:00:00:0A
----------------------

VLAN: 706
VLAN Priority: 3
Hostname: lpar1.example.com
IP: 192.0.2.13

Transmit Statistics:                   Receive Statistics:
--------------------                   -------------------
Packets: 19                            Packets: 20                            
Bytes: 28450000000                     Bytes: 2869                            

================================================================================
MAC: 02:00:00:00:00:0A
----------------------

VLAN: 1

Transmit Statistics:                   Receive Statistics:
--------------------                   -------------------
Packets: 1                             Packets: 3                             
Bytes: 60                              Bytes: 230                             

================================================================================
`

func TestParse(t *testing.T) {
	s := codec.Read(t, sample)
	if len(s.Unknown) > 0 || s.Device != "ent8" {
		t.Errorf("device %q, unknown %v", s.Device, s.Unknown)
	}
	c := s.Clients
	if len(c) != 2 {
		t.Fatalf("got %d blocks of the MAC, want 2", len(c))
	}
	if *c[0].VLAN != 706 || *c[0].Priority != 3 || c[0].Hostname != "lpar1.example.com" || *c[0].Packets.Rx != 20 || *c[0].Bytes.Tx != 28450000000 {
		t.Errorf("first block: got %+v", c[0])
	}
	if c[1].Priority != nil || c[1].IP != "" || *c[1].Bytes.Rx != 230 {
		t.Errorf("second block: got %+v", c[1])
	}
}

func TestDoubtful(t *testing.T) {
	s := codec.Read(t, strings.Replace(sample, "Packets: 20", "Packets: 2,0", 1))
	if p := s.Clients[0].Packets; p.Rx != nil || *p.Tx != 19 || len(s.Warnings) != 1 {
		t.Errorf("got %+v, warnings %v, want no number and a warning", p, s.Warnings)
	}
	s = codec.Read(t, "MAC: 2:0:0:0:0:A\nPackets: 5 Packets: 7\n")
	if p := s.Clients[0].Packets; p.Tx == nil || *p.Tx != 5 || *p.Rx != 7 {
		t.Errorf("collapsed blanks: got %+v", p)
	}
	for _, text := range []string{"", "seastat: accounting is not enabled\n", "VLAN: 7\n"} {
		if _, err := seastat.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

// Frames without a tag have no VLAN: the command says so with a word.
func TestUntagged(t *testing.T) {
	text := strings.NewReplacer("VLAN: 706", "VLAN: None", "VLAN Priority: 3", "VLAN Priority: None").Replace(sample)
	s := codec.Read(t, text)
	if c := s.Clients[0]; c.VLAN != nil || c.Priority != nil || len(s.Unknown) > 0 {
		t.Errorf("got %+v, unknown %v, want neither VLAN nor priority", c, s.Unknown)
	}
}

// A second value of a client, and one that no client has, are reported.
func TestUnknown(t *testing.T) {
	for _, more := range []string{"VLAN: 706\nVLAN: 7", "VLAN: 706\nColour: blue"} {
		s := codec.Read(t, strings.Replace(sample, "VLAN: 706", more, 1))
		if c := s.Clients[0]; *c.VLAN != 706 || len(s.Unknown) != 1 {
			t.Errorf("%q: got %+v, unknown %v, want the second line reported", more, c, s.Unknown)
		}
	}
}

func TestCorpus(t *testing.T)  { codec.Corpus(t, *update, "seastat/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, sample) }
func TestFast(t *testing.T)    { codec.Fast(t, sample) }

func FuzzParse(f *testing.F) { codec.Fuzz(f, sample, "MAC: 2:0:0:0:0:A\nVLAN: None\n") }
