package entstat_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse/aix/entstat"
)

func sample(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// tree shows who is whose member.
func tree(s *entstat.Statistics, depth int) []string {
	out := []string{strings.Repeat("  ", depth) + strings.TrimSpace(string(s.Role)+" "+s.Adapter())}
	for _, m := range s.Members {
		out = append(out, tree(m, depth+1)...)
	}
	return out
}

var seaTree = []string{"ent8", "  Real Adapter ent6", "    ent0", "    ent1", "  Virtual Adapter ent4", "  Control Channel Adapter ent5"}

// TestMembers checks that each adapter of an SEA over an EtherChannel has its
// own counters, whatever happened to the blanks.
func TestMembers(t *testing.T) {
	text := string(sample(t, "sea.txt"))
	for name, text := range map[string]string{
		"as printed": text, "CRLF": strings.ReplaceAll(text, "\n", "\r\n"),
		"eight blanks": strings.ReplaceAll(text, "\t", "        "), "no blank lines": strings.ReplaceAll(text, "\n\n", "\n"),
		"upper": strings.ReplaceAll(text, "Packets", "packets"),
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, text)
			if diff := cmp.Diff(seaTree, tree(s.Statistics, 0)); diff != "" {
				t.Fatalf("members (-want +got):\n%s", diff)
			}
			base := map[string]uint64{"ent8": 1_000_000, "ent6": 2_000_000, "ent0": 3_000_000, "ent1": 4_000_000, "ent4": 5_000_000, "ent5": 6_000_000}
			s.Walk(func(s *entstat.Statistics) {
				got := s.Counters()
				for want, n := range seed(base[s.Adapter()]) {
					if name == "upper" {
						want = strings.ReplaceAll(want, "Packets", "packets")
					}
					if got[want] != n {
						t.Errorf("%s %s: got %d, want %d", s.Adapter(), want, got[want], n)
					}
				}
			})
			if n, ok := s.Counters()["Virtual Side Statistics.Packets received"]; name != "upper" && (!ok || n != 12_000) {
				t.Errorf("virtual side received: got %d %v, want 12000", n, ok)
			}
			if n, ok := s.Counters()["Packets received"]; ok {
				t.Errorf("Packets received of two sides: got %d, want no answer", n)
			}
			want := &entstat.HA{State: "PRIMARY", BridgeMode: "All", Mode: "Auto", Priority: num(1), ControlPVID: num(4095), ControlIn: num(14_000),
				ControlOut: num(14_001), KeepAlive: num(14_002), Recovery: num(14_003), Notify: num(14_004), Limbo: num(14_005),
				BecameBackup: num(14_006), BecamePrimary: num(14_007)}
			if diff := cmp.Diff(want, s.HA()); diff != "" {
				t.Errorf("HA (-want +got):\n%s", diff)
			}
			trunk := s.Members[1]
			if v := trunk.Virtual(); trunk.HA() != nil || v == nil || v.Priority == nil || *v.Priority != 1 || v.Active == nil || !*v.Active {
				t.Errorf("trunk: HA %v, %+v", trunk.HA(), trunk.Virtual())
			}
			if diff := cmp.Diff([]int{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 4094}, trunk.Virtual().VLANs); diff != "" {
				t.Errorf("VLANs (-want +got):\n%s", diff)
			}
			b := s.Bridge()
			if diff := cmp.Diff([]entstat.TrunkVLANs{{Adapter: "ent4", IDs: []int{99, 10, 20}}}, b.VLANs); diff != "" {
				t.Errorf("SEA's VLANs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{"THREAD", "LARGESEND"}, b.Flags); diff != "" {
				t.Errorf("SEA's flags (-want +got):\n%s", diff)
			}
			if b.FlagWord != "00000003" || s.Members[0].Channel() == nil || s.Channel() != nil || s.Members[0].Members[0].Bridge() != nil {
				t.Errorf("flag word %q; channel and bridge blocks on the wrong adapters", b.FlagWord)
			}
		})
	}
}

// TestListing reads several devices from one text, as netstat -v prints them.
func TestListing(t *testing.T) {
	fibre := "\nFIBRE CHANNEL STATISTICS REPORT: fcs0\n\nDevice Type: 8Gb PCI Express FC Adapter\n\n\tTransmit Statistics\tReceive Statistics\n" +
		"Frames: 77 \t 88\nPackets: 999   Packets: 998\n\nETHERNET LINK: none\n"
	var text bytes.Buffer
	text.WriteString("$ netstat -v\n")
	text.Write(sample(t, "virtual.txt"))
	text.WriteString(fibre)
	text.Write(sample(t, "sea.txt"))
	text.WriteString(strings.ReplaceAll(fibre, "fcs0", "fcs1"))
	text.Write(sample(t, "channel.txt"))
	text.Write(sample(t, "physical.txt"))
	l, err := entstat.Parse(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range l.Parts {
		if p.Foreign != nil {
			got = append(got, p.Foreign.Kind+" "+p.Foreign.Name)
			continue
		}
		got = append(got, tree(p.Adapter, 0)...)
	}
	want := append([]string{"ent0", "FIBRE CHANNEL fcs0"}, seaTree...)
	want = append(want, "FIBRE CHANNEL fcs1", "ent2", "  ent0", "  ent1", "ent1")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("devices (-want +got):\n%s", diff)
	}
	for _, s := range l.Adapters() {
		for name, n := range s.Counters() {
			if n >= 998 && n <= 999 {
				t.Errorf("%s has %s=%d of the Fibre Channel section", s.Adapter(), name, n)
			}
		}
	}
	if n := l.Adapter("ent1").Counters()["rx.Packets"]; n != 200_007 {
		t.Errorf("ent1: got %d packets, want its own 200007, not those it has as a member", n)
	}
	if len(l.Unknown) != 1 || l.Unknown[0].Number != 1 {
		t.Errorf("unknown: got %v, want only the prompt", l.Unknown)
	}
}
