package audit

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/draw"
)

// fleet builds one of the catalogue's healthy fleets, changed as a case would.
func fleet(t testing.TB, name string, with map[string]any) *model.Fleet {
	t.Helper()
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	base, ok := cat.Fleet(name)
	if !ok {
		t.Fatalf("no fleet %s", name)
	}
	f, err := rule.BuildFleet(base, with)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func builtIn(t testing.TB) *rule.Set {
	t.Helper()
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	set, err := rule.Compile(cat.Rules())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// named lists findings of at least a severity by id.
func named(t testing.TB, set *rule.Set, f *model.Fleet, opts rule.Options, least finding.Severity) []string {
	t.Helper()
	all, err := set.Run(t.Context(), f, opts)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, x := range atLeast(all, least) {
		ids = append(ids, x.ID)
	}
	slices.Sort(ids)
	return ids
}

func TestHealthyFleetsHaveNoFinding(t *testing.T) {
	set := builtIn(t)
	for _, name := range []string{"two-systems", "dedicated", "pair", "linux"} {
		if got := named(t, set, fleet(t, name, nil), rule.Options{}, finding.Low); len(got) > 0 {
			t.Errorf("fleet %s: got findings %v, want none", name, got)
		}
	}
}

// Each mis-setting of the healthy fleet must give exactly the findings that
// name it, and nothing else anywhere.
func TestOneMisSettingIsNamed(t *testing.T) {
	set := builtIn(t)
	attr := func(at, name string, value any) map[string]any {
		if strings.HasSuffix(at, ":no") {
			return map[string]any{at: map[string]any{name: value}}
		}
		return map[string]any{at: map[string]any{"attrs": map[string]any{name: value}}}
	}
	off := attr("lpar1:en0", "mtu_bypass", "off")
	off["lpar1:en0"].(map[string]any)["flags"] = []any{"UP", "BROADCAST", "RUNNING"}
	tests := []struct {
		name, fleet string
		with        map[string]any
		want        []string
	}{
		{"mtu_bypass off", "two-systems", off, []string{"R001/lpar1:en0"}},
		{"mtu_bypass off, flag still there", "two-systems", attr("lpar1:en0", "mtu_bypass", "off"), []string{"R002/lpar1:en0"}},
		{"client mtu 9000", "two-systems", attr("lpar1:en0", "mtu", 9000), []string{"R020/lpar1:en0"}},
		{"other client mtu 9000", "two-systems", attr("lpar2:en0", "mtu", 9000), []string{"R020/lpar2:en0"}},
		{"client tcp_sendspace", "two-systems", attr("lpar1:en0", "tcp_sendspace", 65536), []string{"R073/lpar1:en0"}},
		{"client tcp_recvspace", "two-systems", attr("lpar1:en0", "tcp_recvspace", 16384), []string{"R073/lpar1:en0"}},
		{"client tcp_recvspace beyond sb_max", "two-systems", attr("lpar1:en0", "tcp_recvspace", 1048576), []string{"R074/lpar1:no"}},
		{"client rfc1323", "two-systems", attr("lpar1:en0", "rfc1323", 0), []string{"R071/lpar1:en0"}},
		{"client chksum_offload", "two-systems", attr("lpar2:ent0", "chksum_offload", "no"), []string{"R003/lpar2:ent0"}},
		{"client buf_mode", "two-systems", attr("lpar1:ent0", "buf_mode", "min"), []string{"R030/lpar1:ent0"}},
		{"client buffers above the trunk's", "two-systems", attr("lpar1:ent0", "max_buf_small", 4096), []string{"R031/vios1:ent4"}},
		{"trunk buffers below the client's", "two-systems", attr("vios1:ent4", "min_buf_huge", 8), []string{"R031/vios1:ent4"}},
		{"trunk chksum_offload", "two-systems", attr("vios1:ent4", "chksum_offload", "no"), []string{"R003/vios1:ent4"}},
		{"trunk buf_mode", "two-systems", attr("vios1:ent4", "buf_mode", "min"), []string{"R030/vios1:ent4"}},
		{"SEA largesend", "two-systems", attr("vios1:ent5", "largesend", 0), []string{"R004/vios1:ent5"}},
		{"SEA large_receive", "two-systems", attr("vios2:ent5", "large_receive", "no"), []string{"R008/vios2:ent5"}},
		{"SEA jumbo_frames", "two-systems", attr("vios1:ent5", "jumbo_frames", "yes"), []string{"R020/vios1:ent5"}},
		{"SEA adapter_reset", "two-systems", attr("vios1:ent5", "adapter_reset", "yes"), []string{"R046/vios1:ent5"}},
		{"SEA pvid", "two-systems", attr("vios1:ent5", "pvid", 7), []string{"R047/vios1:ent5"}},
		{"port large_send", "two-systems", attr("vios1:ent0", "large_send", "no"), []string{"R005/vios1:ent0"}},
		{"port large_receive", "two-systems", attr("vios1:ent0", "large_receive", "no"), []string{"R008/vios1:ent0"}},
		{"port chksum_offload", "two-systems", attr("vios2:ent0", "chksum_offload", "no"), []string{"R006/vios2:ent0"}},
		{"port flow_ctrl", "two-systems", attr("vios1:ent0", "flow_ctrl", "no"), []string{"R040/vios1:ent0"}},
		{"port jumbo_frames", "two-systems", attr("vios1:ent0", "jumbo_frames", "yes"), []string{"R020/vios1:ent0"}},
		{"VIOS interface mtu", "two-systems", attr("vios1:en5", "mtu", 9000), []string{"R021/vios1:en5"}},
		{"sb_max", "two-systems", attr("lpar1:no", "sb_max", 262144), []string{"R074/lpar1:no"}},
		{"use_isno", "two-systems", attr("lpar1:no", "use_isno", 0), []string{"R072/lpar1:no"}},
		{"tcptr_enable", "two-systems", attr("lpar2:no", "tcptr_enable", 1), []string{"R106/lpar2:no"}},
		{"tcp_tcpsecure", "two-systems", attr("lpar2:no", "tcp_tcpsecure", 4), []string{"R106/lpar2:no"}},
		{"ipforwarding behind large receive", "two-systems", attr("lpar1:no", "ipforwarding", 1), []string{"R009/vios1:ent5"}},
		{"two on the port", "two-systems", map[string]any{"vios1:ent0": map[string]any{"attrs": map[string]any{"large_send": "no", "chksum_offload": "no"}}},
			[]string{"R005/vios1:ent0", "R006/vios1:ent0"}},
		{"SEA and port", "two-systems", map[string]any{
			"vios1:ent0": map[string]any{"attrs": map[string]any{"large_send": "no"}}, "vios1:ent5": map[string]any{"attrs": map[string]any{"largesend": 0}},
		}, []string{"R004/vios1:ent5", "R005/vios1:ent0"}},
		{"use_isno and a small buffer", "two-systems", map[string]any{
			"lpar1:no": map[string]any{"use_isno": 0}, "lpar1:en0": map[string]any{"attrs": map[string]any{"tcp_recvspace": 16384}},
		}, []string{"R072/lpar1:no", "R073/lpar1:en0"}},
		{"free port", "two-systems", attr("vios1:ent1", "media_speed", "x"), []string{}},
		{"drift", "two-systems", attr("vios1:ent4", "max_buf_tiny", map[string]any{"running": 2048, "next_boot": 4096}), []string{"R081/vios1:ent4"}},

		{"dedicated mtu", "dedicated", attr("lpar1:en0", "mtu", 1500), []string{"R024/lpar1:en0"}},
		{"dedicated large_send", "dedicated", attr("lpar1:ent0", "large_send", "no"), []string{"R007/lpar1:ent0"}},
		{"dedicated chksum_offload", "dedicated", attr("lpar1:ent0", "chksum_offload", "no"), []string{"R006/lpar1:ent0"}},
		{"dedicated jumbo_frames", "dedicated", attr("lpar1:ent0", "jumbo_frames", "no"), []string{"R021/lpar1:en0"}},
		{"dedicated queues_rx", "dedicated", attr("lpar1:ent0", "queues_rx", 8), []string{"R077/lpar1:ent0"}},
		{"dedicated flow_ctrl", "dedicated", attr("lpar2:ent0", "flow_ctrl", "no"), []string{"R040/lpar2:ent0"}},

		{"pair hash_mode", "pair", attr("vios1:ent8", "hash_mode", "default"), []string{"R041/vios1:ent8"}},
		{"pair use_jumbo_frame", "pair", attr("vios1:ent8", "use_jumbo_frame", "no"), []string{"R020/vios1:ent8"}},
		{"pair member jumbo_frames", "pair", attr("vios2:ent1", "jumbo_frames", "no"), []string{"R020/vios2:ent1"}},
		{"pair client mtu", "pair", attr("lpar1:en0", "mtu", 1500), []string{"R024/lpar1:en0"}},
		{"client mtu below 1500", "two-systems", attr("lpar1:en0", "mtu", 1400), []string{"R024/lpar1:en0"}},
		{"client mtu by next boot", "two-systems", attr("lpar1:en0", "mtu", map[string]any{"running": 1500, "next_boot": 9000}), []string{"R020/lpar1:en0"}},
		{"client mtu until next boot", "two-systems", attr("lpar1:en0", "mtu", map[string]any{"running": 9000, "next_boot": 1500}), []string{"R020/lpar1:en0"}},
		{"port large_send by next boot", "two-systems", attr("vios1:ent0", "large_send", map[string]any{"running": "yes", "next_boot": "no"}), []string{"R005/vios1:ent0"}},
		{"pair SEA jumbo_frames", "pair", attr("vios2:ent9", "jumbo_frames", "no"), []string{"R023/vios2:ent9"}},
		{"pair member large_send", "pair", attr("vios2:ent1", "large_send", "no"), []string{"R005/vios2:ent1"}},
		{"pair adapter_reset", "pair", attr("vios1:ent9", "adapter_reset", "yes"), []string{"R046/vios1:ent9"}},

		{"Linux tso", "linux", attr("linux1:eth0", "tso", "off"), []string{"R110/linux1:eth0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := named(t, set, fleet(t, tt.fleet, tt.with), rule.Options{}, finding.Low)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// Nothing that a host did not say may turn a verdict into PASS or FINDING that
// depended on it: removing any one attribute of the healthy fleets leaves no
// finding.
func TestForgettingAnAttributeGivesNoFinding(t *testing.T) {
	set := builtIn(t)
	for _, name := range []string{"two-systems", "dedicated", "pair"} {
		whole := fleet(t, name, nil)
		for _, h := range whole.Hosts {
			for _, en := range draw.OneIn(t, 5, slices.Sorted(maps.Keys(h.Elements))) {
				for _, a := range slices.Sorted(maps.Keys(h.Elements[en].Attrs)) {
					at := h.Name + ":" + en
					f := fleet(t, name, map[string]any{at: map[string]any{"attrs": map[string]any{a: nil}}})
					if got := named(t, set, f, rule.Options{}, finding.Low); len(got) > 0 {
						t.Errorf("%s without %s %s: got findings %v, want none", name, at, a, got)
					}
				}
			}
		}
	}
}

func BenchmarkAuditPerHost(b *testing.B) {
	set := builtIn(b)
	f := fleet(b, "two-systems", nil)
	for b.Loop() {
		if _, err := set.Run(b.Context(), f, rule.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(f.Hosts)), "us/host")
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		builtIn(b)
	}
}

// atLeast gives the FINDINGs of a severity or above, in their order.
func atLeast(all []finding.Finding, least finding.Severity) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f finding.Finding) bool { return f.Verdict != finding.Found || !f.Severity.AtLeast(least) })
}
