package entstat_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/internal/test/codectest"
)

// TestCorpus asks real outputs what the audit asks.
func TestCorpus(t *testing.T) {
	var golden strings.Builder
	for _, file := range codectest.Files(t, "entstat_*/*") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := read(t, string(text))
		for _, l := range s.Unknown {
			t.Errorf("%s:%d: not understood: %q", filepath.Base(file), l.Number, l.Text)
		}
		fmt.Fprintf(&golden, "%s: %d lines\n", filepath.Base(file), s.Lines)
		s.Walk(func(s *entstat.Statistics) {
			up, speed := s.Link()
			all := s.Counters()
			sum := uint64(0)
			for _, n := range all {
				sum += n
			}
			fmt.Fprintf(&golden, "  %s %s (%s): link %s %s, flags %v, %d counters, sum %d, received %d\n", s.Role, s.Adapter(), s.DeviceType(),
				show(up), show(speed), s.Flags(), len(all), sum, all["rx.Packets"])
			for _, block := range []string{show(s.Virtual()), show(s.Bridge()), show(s.Channel()), show(s.LACP())} {
				if block != "-" {
					fmt.Fprintf(&golden, "    %s\n", block)
				}
			}
		})
	}
	codectest.Golden(t, *update, "corpus.golden", []byte(golden.String()))
}

// show is a value in one line; - for none.
func show[T any](v *T) string {
	if v == nil {
		return "-"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func TestDamaged(t *testing.T) {
	for _, file := range []string{"virtual.txt", "physical.txt", "channel.txt", "sea.txt"} {
		t.Run(file, func(t *testing.T) { codec.Damaged(t, string(sample(t, file))) })
	}
}

func TestFast(t *testing.T) { codec.Fast(t, string(sample(t, "sea.txt"))) }

// TestWrongNumbers puts what is not a count where a count belongs.
func TestWrongNumbers(t *testing.T) {
	text := string(sample(t, "physical.txt"))
	for _, bad := range []string{"-5", "4,5", "4.5", "99999999999999999999", "0x10", "12k", "007", "", "N/A", "1 2"} {
		s := read(t, strings.Replace(text, "Packets: 200000", "Packets: "+bad, 1))
		if n, ok := s.Counters()["tx.Packets"]; ok {
			t.Errorf("Packets: %s: got %d, want none", bad, n)
		}
		if n, ok := s.Counters()["rx.Packets"]; !ok || n != 200_007 {
			t.Errorf("Packets: %s: right column: got %d %v, want 200007", bad, n, ok)
		}
		if len(s.Warnings) == 0 {
			t.Errorf("Packets: %s: no warning", bad)
		}
	}
}

func TestJunk(t *testing.T) {
	good := sample(t, "virtual.txt")
	junk := bytes.Repeat([]byte("\x00\xff\x1b[:=-: 9 ( \x7f\n"), 10<<20/17)
	_, _ = entstat.Parse(junk)                                                                                     // does not panic
	_, _ = entstat.Parse(append(append([]byte{}, good...), junk...))                                               // does not panic
	_, _ = entstat.Parse(append([]byte("ETHERNET STATISTICS ("), bytes.Repeat([]byte(" x:"), 1<<20)...))           // does not panic
	_, _ = entstat.Parse(append([]byte("Device Type:\n"), bytes.Repeat([]byte("Real Adapter: ent0\n"), 1<<14)...)) // does not panic
	s := read(t, string(good)+"\x01binary\n")
	if len(s.Unknown) != 1 {
		t.Errorf("unknown: got %v, want the binary line", s.Unknown)
	}
}

func TestErrors(t *testing.T) {
	for _, text := range []string{
		"", "\n", "hello\n", "entstat: 0909-002 Unable to open device en0, errno = 13\n",
		"Transmit Statistics:   Receive Statistics:\nPackets: 1   Packets: 2\n",
	} {
		if s, err := entstat.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, %v, want ErrNotRecognised", text, s, err)
		}
	}
	_, err := entstat.Parse([]byte("entstat: 0909-002 Unable to open device en0, errno = 13\n"))
	if err == nil || !strings.Contains(err.Error(), "0909-002") {
		t.Errorf("got %v, want the command's own message", err)
	}
	s := read(t, "entstat: 0909-002 Unable to open device en7, errno = 13\n"+string(sample(t, "virtual.txt")))
	if len(s.Warnings) != 1 || len(s.Unknown) != 0 {
		t.Errorf("got warnings %v, unknown %v, want the message as a warning", s.Warnings, s.Unknown)
	}
}

func seeds(f *testing.F) []string {
	all := []string{
		"Device Type: \nX\n\tQueue: 3 \n\t [q-1]: a:\t5\n", "ETHERNET STATISTICS (\x1b[1men0\x1b[m) :\nA:  1   B:\tC: 2 \x1b[0m\r\n",
		"x\nFIBRE CHANNEL STATISTICS REPORT: fcs0\n\nETHERNET STATISTICS (ent0) :\nDevice Type: EtherChannel\nNumber of adapters: 1\nETHERNET STATISTICS (ent1) :",
	}
	for _, file := range []string{"virtual.txt", "physical.txt", "channel.txt", "sea.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, string(text))
	}
	return all
}

func FuzzParse(f *testing.F) { codec.Fuzz(f, seeds(f)...) }

// A list that lost a line says nothing about what is not in it.
func TestSpoiltLists(t *testing.T) {
	const good = "ETHERNET STATISTICS (ent0) :\nDevice Type: Virtual I/O Ethernet Adapter (l-lan)\n\nGeneral Statistics:\n-------------------\n" +
		"Driver Flags: Up Broadcast Running \n\tSimplex 64BitSupport \n\tDataRateSet PlatformTSO \n\n" +
		"Virtual I/O Ethernet Adapter (l-lan) Specific Statistics:\n---------------------------------------------------------\nPort VLAN ID:     1\nVLAN Tag IDs:    10    11    12\n                 13    14    15\nSwitch ID: ETHERNET0\n"
	tests := []struct {
		name, old, new string
		flags, vlans   bool // known as a whole
	}{
		{"nothing", "", "", true, true},
		{"a byte of another encoding", "64BitSupport", "64Bit\xdfupport", false, true},
		{"a control character", "64BitSupport", "64Bit\x01upport", false, true},
		{"a sign in the first line", "Broadcast", "Broad?ast", false, true},
		{"a VLAN that is no number", "14", "1\xff4", true, false},
		{"a VLAN that is too large a number", "14", "14000000000000000000000", true, false},
	}
	for _, tt := range tests {
		s := read(t, strings.Replace(good, tt.old, tt.new, 1))
		if got := s.FlagsWhole(); got != tt.flags {
			t.Errorf("%s: flags whole: got %v, want %v (%q)", tt.name, got, tt.flags, s.Flags())
		}
		if v := s.Virtual().VLANs; (v != nil) != tt.vlans {
			t.Errorf("%s: VLANs: got %v, want them known: %v", tt.name, v, tt.vlans)
		}
	}
}
