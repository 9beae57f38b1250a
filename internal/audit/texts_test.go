package audit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

// texts reads what hosts printed: testdata/texts/HOST/COMMAND[.DEVICE].txt.
func texts(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/texts/*/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata/texts: %v, %d files", err, len(files))
	}
	out := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(filepath.Dir(f))+" "+strings.TrimSuffix(filepath.Base(f), ".txt")] = string(text)
	}
	return out
}

// assembled makes a fleet of texts.
func assembled(texts map[string]string) *model.Fleet {
	byHost := map[string][]assemble.Output{}
	for name, text := range texts {
		host, command, _ := strings.Cut(name, " ")
		id, device, _ := strings.Cut(command, ".")
		device, attr, _ := strings.Cut(device, ".")
		byHost[host] = append(byHost[host], assemble.Output{ID: id, Element: device, Attribute: attr, Command: command, Text: []byte(text)})
	}
	f := &model.Fleet{}
	for host, outputs := range byHost {
		slices.SortFunc(outputs, func(a, b assemble.Output) int { return strings.Compare(a.Command, b.Command) })
		platform := model.AIX
		if strings.HasPrefix(host, "vios") {
			platform = model.VIOS
		}
		f.Hosts = append(f.Hosts, assemble.Host(assemble.About{Name: host, Platform: platform, User: "root"}, outputs))
	}
	slices.SortFunc(f.Hosts, func(a, b *model.Host) int { return strings.Compare(a.Name, b.Name) })
	return f
}

// edit is a change of a text: old stands in it, and becomes new everywhere.
type edit struct{ text, old, new string }

// edited are the texts of healthy hosts with some edits.
func edited(t *testing.T, edits []edit) map[string]string {
	t.Helper()
	all := texts(t)
	for _, e := range edits {
		if !strings.Contains(all[e.text], e.old) {
			t.Fatalf("%s does not contain %q", e.text, e.old)
		}
		all[e.text] = strings.ReplaceAll(all[e.text], e.old, e.new)
	}
	return all
}

// What a host prints when something is mis-set or goes wrong, line by line,
// gives the findings that describe it and no other.
func TestTextsOfOneMisSetting(t *testing.T) {
	const sea = "vios1 entstat-d.ent5"
	tests := []struct {
		name  string
		edits []edit
		want  []string
	}{
		{"nothing", nil, found()},
		{"no LARGESEND", []edit{{"lpar1 ifconfig-a", "LARGESEND,CHAIN>\n\tinet 10", "CHAIN>\n\tinet 10"}}, found("R002/lpar1:en0")},
		{"mtu_bypass off", []edit{{"lpar1 lsattr-El.en0", "mtu_bypass    on ", "mtu_bypass    off"}}, found("R002/lpar1:en0")},
		{"both", []edit{{"lpar1 ifconfig-a", "LARGESEND,CHAIN>\n\tinet 10", "CHAIN>\n\tinet 10"}, {"lpar1 lsattr-El.en0", "mtu_bypass    on ", "mtu_bypass    off"}}, found("R001/lpar1:en0")},
		{"checksum offload not active", []edit{{"lpar1 ifconfig-a", "CHECKSUM_OFFLOAD(ACTIVE),LARGESEND,", ""}, {"lpar1 lsattr-El.ent0", "chksum_offload  yes", "chksum_offload  no "}}, found("R003/lpar1:ent0")},
		{"checksum offload waits for a boot", []edit{{"lpar1 lsattr-El.ent0", "chksum_offload  yes", "chksum_offload  no "}}, found("R003/lpar1:ent0")},
		{"SEA without largesend", []edit{{sea, "    < LARGESEND >\n", ""}, {"vios1 lsattr-El.ent5", "largesend       1", "largesend       0"}}, found("R004/vios1:ent5")},
		{"second port without large_send", []edit{{"vios1 lsattr-El.ent1", "large_send     yes", "large_send     no "}}, found("R005/vios1:ent1")},
		{"second port without flow control", []edit{{"vios1 lsattr-El.ent1", "flow_ctrl      yes", "flow_ctrl      no "}}, found("R040/vios1:ent1")},
		{"hash by address", []edit{{"vios1 lsattr-El.ent8", "hash_mode       src_dst_port", "hash_mode       default"}}, found("R041/vios1:ent8")},
		{"no LACP", []edit{{"vios1 lsattr-El.ent8", "mode            8023ad", "mode            standard"}}, found("R041/vios1:ent8")},
		{"client with jumbo frames", []edit{{"lpar1 netstat-in", "en0   1500 ", "en0   9000 "}, {"lpar1 lsattr-El.en0", "mtu           1500", "mtu           9000"}}, found("R020/lpar1:en0")},
		{"client with jumbo frames by its next boot", []edit{{"lpar1 lsattr-El.en0", "mtu           1500", "mtu           9000"}}, found("R020/lpar1:en0")},
		{"EtherChannel with jumbo frames", []edit{{"vios1 lsattr-El.ent8", "use_jumbo_frame no ", "use_jumbo_frame yes"}}, found("R020/vios1:ent8")},
		{"window without scaling", []edit{{"lpar1 ifconfig-a", "rfc1323 1", "rfc1323 0"}}, found("R071/lpar1:en0")},
		{"small window", []edit{{"lpar1 ifconfig-a", "tcp_recvspace 262144", "tcp_recvspace 65536"}}, found("R073/lpar1:en0")},
		{"options of the interface off", []edit{{"lpar1 no-L.use_isno", "1      1      1 ", "0      1      0 "}}, found("R072/lpar1:no")},
		{"... until the next boot", []edit{{"lpar1 no-L.use_isno", "1      1      1 ", "0      1      1 "}}, found("R072/lpar1:no")},
		{"sb_max small", []edit{{"lpar1 no-a", "sb_max = 1048576", "sb_max = 262144"}, {"lpar1 no-L", "1M     1M     1M     4K     8E-1   byte              D", "256K   1M     256K   4K     8E-1   byte              D"}}, found("R074/lpar1:no")},
		{"interface detached", []edit{{"lpar1 ifconfig-a", "en0: flags", "en7: flags"}}, found("R082/lpar1:en0")},
		{"interface down", []edit{{"lpar1 ifconfig-a", "1e084863,4c0<UP,", "1e084862,480<"}}, found("R082/lpar1:en0")},
		{"client's receive buffers ran out", []edit{
			{"lpar1 entstat-d.ent0", "No Resource Errors: 0", "No Resource Errors: 5906"}, {"lpar1 entstat-d.ent0", "Hypervisor Receive Failures: 0", "Hypervisor Receive Failures: 5906"},
			{"lpar1 entstat-d.ent0", "2040     1996", "2040        3"},
		}, found("R026/lpar1:ent0")},
		{"trunk's receive buffers ran out", []edit{{sea, "Hypervisor Receive Failures: 0", "Hypervisor Receive Failures: 77"}}, found("R026/vios1:ent3", "R026/vios1:ent4")},
		{"frames nobody took", []edit{{"lpar1 entstat-d.ent0", "Hypervisor Send Failures: 0", "Hypervisor Send Failures: 12"}}, found("R032/lpar1:ent0")},
		{"port overrun", []edit{{sea, "DMA Overrun: 0", "DMA Overrun: 9"}}, found("R034/vios1:ent0", "R034/vios1:ent1")},
		{"SEA queue overflow", []edit{{sea, "Thread queue overflow packets: 0", "Thread queue overflow packets: 31"}}, found("R050/vios1:ent5")},
		{"SEA drops large packets", []edit{{sea, "larger than MTU: 0", "larger than MTU: 31"}}, found("R051/vios1:ent5")},
		{"buffers on demand", []edit{{"lpar1 entstat-d.ent0", "Buffer Mode: Max Min", "Buffer Mode: Min"},
			{"lpar1 entstat-d.ent0", "Min Buffers              2048     2048      256       64       64", "Min Buffers               512      512      128       24       24"},
			{"lpar1 entstat-d.ent0", "Max Allocated          2048     2048      256       64       64", "Max Allocated           512      512      128       24       24"},
			{"lpar1 lsattr-El.ent0", "buf_mode        max_min", "buf_mode        min    "}}, found("R030/lpar1:ent0")},
	}
	set := builtIn(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, named(t, set, assembled(edited(t, tt.edits)), rule.Options{}, finding.Low)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func found(ids ...string) []string { return append([]string{}, ids...) }
