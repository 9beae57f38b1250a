package entstat_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse/aix/entstat"
)

func head(name, kind string) string {
	return strings.Replace(strings.Replace(driver("X", ""), "Device Type: X", "Device Type: "+kind, 1), "(ent3)", "("+name+")", 1)
}

const dashes = "-------------------------------------------------------------\n"

// TestNesting shows whose member an adapter is where the text says it in
// another way, or not at all.
func TestNesting(t *testing.T) {
	channel := head("ent6", "EtherChannel") + "=====\nStatistics for every adapter in the EtherChannel:\n-----------------\n\n"
	sea := head("ent8", "Shared Ethernet Adapter") + "-----\nStatistics for adapters in the Shared Ethernet Adapter ent8\n-----\nNumber of adapters: 2\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"older EtherChannel with a backup": {channel + "Number of adapters: 2\nOperating mode: Standard mode\nHash mode: Destination IP address\n" +
			dashes + "\n" + head("ent0", "A") + dashes + "\nBackup adapter - ent1:\n=====\n\n" + head("ent1", "B"),
			[]string{"ent6", "  ent0", "  Backup adapter ent1"}},
		"stray backup line": {channel + "Number of adapters: 2\n" + dashes + head("ent0", "A") + "Backup adapter - ent1:\n",
			[]string{"ent6", "  ent0", "  Backup adapter ent1"}},
		"SEA over a port, same adapter twice": {sea + dashes + "Real Adapter: ent0\n\n" + head("ent0", "A") + dashes + "Virtual Adapter: ent4\n\n" + head("ent4", "B") +
			dashes + "Control Adapter: ent4\n\n" + head("ent4", "B"), []string{"ent8", "  Real Adapter ent0", "  Virtual Adapter ent4", "  Control Channel Adapter ent4"}},
		"headings lost":   {strings.ReplaceAll(sea+dashes+"Real Adapter: ent0\n\n"+head("ent0", "A"), "ETHERNET STATISTICS", "=== "), []string{"ent8", "  Real Adapter ent0"}},
		"text ends early": {sea + dashes + "Real Adapter: ent0\n", []string{"ent8", "  Real Adapter ent0"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := c.text
			if name == "headings lost" {
				text = strings.ReplaceAll(text, "===  (ent8) :\n", "")
				text = strings.ReplaceAll(text, "===  (ent0) :\n", "")
			}
			s := read(t, text)
			if diff := cmp.Diff(c.want, tree(s.Statistics, 0)); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
			if len(s.Unknown) > 0 {
				t.Errorf("not understood: %v", s.Unknown)
			}
		})
	}
	l, err := entstat.Parse([]byte(channel + "Number of adapters: 1\n" + dashes + head("ent0", "A") + dashes + head("ent1", "B")))
	if err != nil || len(l.Adapters()) != 2 || len(l.Adapters()[0].Members) != 1 {
		t.Errorf("a device after a complete EtherChannel: got %v, %v, want it on its own", l, err)
	}
}

// TestSEABlocks reads parts of an SEA that the constructors do not make.
func TestSEABlocks(t *testing.T) {
	text := head("ent8", "Shared Ethernet Adapter") + "Elapsed Time: 0 days 0 hours 0 minutes 5 seconds\n\n-----\nStatistics for adapters in the Shared Ethernet Adapter ent8\n-----\n" +
		"Number of adapters: 3\nSEA Flags: 0000007B\n    < THREAD >\n    < LARGE_RECEIVE >\nVLAN IDs :\n    ent4: 1 2\n          3\n    ent5: 7\n" +
		"Real Side Statistics:\n    Packets received: 1\n    Packets filtered(VlanId): 2\nVirtual Side Statistics:\n    Packets received: 3\n    Packets dropped(VlanId) : 4\n" +
		"\n\n\tSEA THREADS INFORMATION\n\n\t\tThread .............. #0\n\t\tSEA Default Queue #8\n\t\tQueue full drops: 5\n\t\tQueued: 6  Average: 7\n\n\t\tThread .............. #1\n\t\tQueue full drops: 8\n" +
		"High Availability Statistics:\n    Control Channel PVID: 99\nType of Packets Received:\n    Limbo Packets: 9\n    State: BACKUP_SH\n    Priority: 2\n"
	s := read(t, text)
	if len(s.Unknown) > 0 {
		t.Errorf("not understood: %v", s.Unknown)
	}
	b := s.Bridge()
	if b == nil {
		t.Fatal("no SEA block")
	}
	if diff := cmp.Diff([]entstat.TrunkVLANs{{Adapter: "ent4", IDs: []int{1, 2, 3}}, {Adapter: "ent5", IDs: []int{7}}}, b.VLANs); diff != "" {
		t.Errorf("VLANs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"THREAD", "LARGE_RECEIVE"}, b.Flags); diff != "" || b.FlagWord != "0000007B" {
		t.Errorf("flags %s (-want +got):\n%s", b.FlagWord, diff)
	}
	if b.HA == nil || b.HA.State != "BACKUP_SH" || b.HA.Priority == nil || *b.HA.Priority != 2 || b.HA.BridgeMode != "" || b.HA.Recovery != nil {
		t.Errorf("HA: got %+v", b.HA)
	}
	all := s.Counters()
	for name, want := range map[string]uint64{
		"Real Side Statistics.Packets received": 1, "Virtual Side Statistics.Packets received": 3, "Packets filtered(VlanId)": 2, "Packets dropped(VlanId)": 4,
		"SEA THREADS INFORMATION / Thread #0.Queue full drops": 5, "SEA Default Queue": 8, "SEA THREADS INFORMATION / Thread #1.Queue full drops": 8, "Average": 7, "Limbo Packets": 9,
	} {
		if got, ok := all[name]; !ok || got != want {
			t.Errorf("%s: got %d %v, want %d", name, got, ok, want)
		}
	}
	if up, speed := s.Link(); up != nil || speed != nil {
		t.Errorf("link of an SEA: got %v %v, want unknown", up, speed)
	}
	cut := read(t, text[:strings.Index(text, "_SH")])
	if ha := cut.HA(); ha == nil || ha.State != "" {
		t.Errorf("state cut off in the middle: got %+v, want none", ha)
	}
}

// TestLACP reads the 802.3ad block of a member.
func TestLACP(t *testing.T) {
	block := "IEEE 802.3ad Port Statistics:\n-----------------------------\n\tActor System Priority: 0x8000\n\tActor System: 02-00-00-00-00-03\n\tActor State: \n\t\tLACP activity: Active\n" +
		"\t\tSynchronization: IN_SYNC\n\n\tPartner System Priority: 0x0000\n\tPartner System: 00-00-00-00-00-00\n\tPartner State: \n\t\tLACP activity: Passive\n\t\tSynchronization: OUT_OF_SYNC\n\t\tDefaulted: True\n\n\tReceived LACPDUs: 0\n"
	for name, text := range map[string]string{"as printed": block, "flat": strings.ReplaceAll(block, "\t", "")} {
		l := read(t, driver("A", text)).LACP()
		want := &entstat.LACP{
			Actor:   entstat.LACPState{SystemPriority: "0x8000", System: "02-00-00-00-00-03", Activity: "Active", Synchronization: "IN_SYNC"},
			Partner: entstat.LACPState{SystemPriority: "0x0000", System: "00-00-00-00-00-00", Activity: "Passive", Synchronization: "OUT_OF_SYNC", Defaulted: "True"},
		}
		if diff := cmp.Diff(want, l); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
