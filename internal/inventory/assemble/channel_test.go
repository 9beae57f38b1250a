package assemble_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

const channel = `-------------------------------------------------------------
ETHERNET STATISTICS (ent8) :
Device Type: EtherChannel
Hardware Address: 02:00:00:00:00:08

Statistics for every adapter in the EtherChannel:
-------------------------------------------------
Number of primary adapters: 2
Number of backup adapters: 1
Active channel: primary channel
Operating mode: Standard mode (IEEE 802.3ad)
Hash mode: Source and destination TCP/UDP ports

-------------------------------------------------------------
ETHERNET STATISTICS (ent0) :
Device Type: Some Adapter

-------------------------------------------------------------
ETHERNET STATISTICS (ent1) :
Device Type: Some Adapter

-------------------------------------------------------------
ETHERNET STATISTICS (ent2) :
Device Type: Some Adapter
`

// Without its attributes an EtherChannel's own words say what runs, and its last
// member, where it prints one backup, is that. Beside them they are left alone.
func TestChannel(t *testing.T) {
	attributes := func(hash string) assemble.Output {
		return assemble.Output{ID: "lsattr-El", Element: "ent8", Command: "lsattr -El ent8", Text: []byte(
			"adapter_names  ent0,ent1    EtherChannel Adapters                       True\nbackup_adapter ent2         Adapter used when whole channel fails       True\n" +
				"hash_mode      " + hash + " Determines how outgoing adapter is chosen   True\nmode           8023ad       EtherChannel mode of operation              True\n")}
	}
	stats := func(old, new string) assemble.Output {
		return assemble.Output{ID: "entstat-d", Element: "ent8", Command: "entstat -d ent8", Text: []byte(strings.ReplaceAll(channel, old, new))}
	}
	tests := []struct {
		name    string
		outputs []assemble.Output
		members []string
		backup  string
		hash    string // running
	}{
		{"statistics alone", []assemble.Output{stats("", "")}, []string{"ent0", "ent1"}, "ent2", "src_dst_port"},
		{"no backup is printed", []assemble.Output{stats("primary adapters: 2\nNumber of backup adapters: 1", "primary adapters: 3\nNumber of backup adapters: 0")}, []string{"ent0", "ent1", "ent2"}, "", "src_dst_port"},
		{"attributes say the same", []assemble.Output{attributes("src_dst_port"), stats("", "")}, []string{"ent0", "ent1"}, "ent2", ""},
		{"changed for the next boot only", []assemble.Output{attributes("default     "), stats("", "")}, []string{"ent0", "ent1"}, "ent2", ""},
		{"words of another language", []assemble.Output{attributes("default     "), stats("Source and destination TCP/UDP ports", "Quell- und Zielports")}, []string{"ent0", "ent1"}, "ent2", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := assemble.Host(assemble.About{Name: "h", Platform: model.AIX}, tt.outputs)
			e := h.Elements["ent8"]
			if e == nil || e.Kind != model.EtherChannel {
				t.Fatalf("ent8: got %+v, want an EtherChannel", e)
			}
			if diff := cmp.Diff(tt.members, e.Members); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
			if got := e.Attrs["backup_adapter"].Current(); got != tt.backup {
				t.Errorf("backup: got %q, want %q", got, tt.backup)
			}
			hash := ""
			if a := e.Attrs["hash_mode"]; a != nil && a.Running != nil {
				hash = *a.Running
			}
			if hash != tt.hash {
				t.Errorf("hash mode in force: got %q, want %q", hash, tt.hash)
			}
			if m := h.Elements["ent2"]; tt.backup != "" && m.MemberOf != "ent8" {
				t.Errorf("the backup belongs to %q, want ent8", m.MemberOf)
			}
		})
	}
}

func TestSlots(t *testing.T) {
	h := assemble.Host(assemble.About{Name: "vios1", Platform: model.VIOS}, []assemble.Output{
		{ID: "lsdev", Command: "lsdev", Text: []byte("name             status      description\nent4             Available   Virtual I/O Ethernet Adapter (l-lan)\n")},
		{ID: "lsdev-slots", Command: "lsdev -slots", Text: []byte("# Slot                    Description       Device(s)\nU9009.22A.7812345-V3-C4   Virtual I/O Slot  ent4\n")},
	})
	if got, want := h.Elements["ent4"].Location, "U9009.22A.7812345-V3-C4"; got != want || h.MachineID != "9009-22A*7812345" {
		t.Errorf("got ent4 at %q on %q, want %q on 9009-22A*7812345", got, h.MachineID, want)
	}
}

// The switch's end of each member is what R042 compares; a word that is damaged
// is not kept.
func TestLACP(t *testing.T) {
	port := func(name, system, key, sync string) string {
		return "\n-------------------------------------------------------------\nETHERNET STATISTICS (" + name + ") :\nDevice Type: Some Adapter\n\nIEEE 802.3ad Port Statistics:\n-----------------------------\n\n" +
			"\tActor System: 02-00-00-00-00-08\n\tActor State: \n\t\tSynchronization: IN_SYNC\n\n\tPartner System: " + system + "\n\tPartner Operational Key: " + key + "\n\tPartner State: \n\t\tSynchronization: " + sync + "\n"
	}
	head := channel[:strings.Index(channel, "\n-------------------------------------------------------------\nETHERNET STATISTICS (ent0)")]
	h := assemble.Host(assemble.About{Name: "h", Platform: model.AIX}, []assemble.Output{{ID: "entstat-d", Element: "ent8", Command: "entstat -d ent8", Text: []byte(head +
		port("ent0", "00-1C-73-00-00-01", "0x03E9", "IN_SYNC") + port("ent1", "00-1C-73-00-\xff0-02", "0x0~E9", "IN_S?NC") + port("ent2", "00-00-00-00-00-00", "0x0000", "OUT_OF_SYNC"))}})
	got := map[string]string{}
	for _, n := range []string{"ent0", "ent1", "ent2"} {
		for _, a := range []string{"partner_system", "partner_key", "synchronization"} {
			if x := h.Elements[n].Attrs[a]; x != nil {
				got[n+" "+a] = x.Current()
			}
		}
	}
	want := map[string]string{
		"ent0 partner_system": "00-1c-73-00-00-01", "ent0 partner_key": "0x03E9", "ent0 synchronization": "IN_SYNC",
		"ent2 partner_system": "00-00-00-00-00-00", "ent2 partner_key": "0x0000", "ent2 synchronization": "OUT_OF_SYNC",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("LACP (-want +got):\n%s", diff)
	}
}

// A member that no longer hears the switch says so in the state of its own end; a port on half
// duplex says it beside its speed.
func TestLACPStateAndDuplex(t *testing.T) {
	h := host(model.AIX, text("lsdev-Cc-adapter", "", "ent0 Available 02-08 2-Port Gigabit Adapter\n"), text("entstat-d", "ent0",
		"ETHERNET STATISTICS (ent0) :\nDevice Type: 2-Port Gigabit Adapter\nLink Status: Up\nMedia Speed Running: 100 Mbps Half Duplex\n"+
			"IEEE 802.3ad Port Statistics:\n-----------------------------\n\n\tActor System Priority: 32768\n\tActor System: 02-00-00-00-00-08\n"+
			"\tActor State: \n\t\tLACP activity: Active\n\t\tDefaulted: False\n\t\tExpired: True\n\n"+
			"\tPartner System: 00-1C-73-00-00-01\n\tPartner State: \n\t\tDefaulted: True\n\t\tExpired: False\n"))
	for name, want := range map[string]string{"lacp_expired": "true", "lacp_defaulted": "false", "duplex": "half"} {
		if got := value(h, "ent0", name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
