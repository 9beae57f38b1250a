package audit

import (
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/knowledge"
)

// A rule over an earlier snapshot judges growth: of counters as of protocols.
func TestProtocolsByGrowth(t *testing.T) {
	now := fleet(t, "two-systems", map[string]any{"lpar1": map[string]any{"protocols": map[string]any{"tcp.retransmitted": 500, "tcp.packets sent": 1000}}})
	tests := []struct {
		name   string
		before map[string]any
		want   string
	}{
		{"grown", map[string]any{"tcp.retransmitted": 450, "tcp.packets sent": 900}, "lpar1 FINDING tcp.retransmitted: +50 since the earlier snapshot"},
		{"not grown", map[string]any{"tcp.retransmitted": 500, "tcp.packets sent": 900}, "lpar1 PASS tcp.retransmitted: +0 since the earlier snapshot"},
		{"zeroed", map[string]any{"tcp.retransmitted": 400, "tcp.packets sent": 90000}, "lpar1 NOT_ASSESSED lpar1: growth of tcp.retransmitted: the counters were reset between the snapshots"},
		{"not read before", map[string]any{"tcp.retransmitted": nil, "tcp.packets sent": 900}, "lpar1 NOT_ASSESSED lpar1: growth of tcp.retransmitted: the earlier snapshot does not have it"},
	}
	set, err := rule.Compile([]knowledge.Rule{{ID: "T1", Title: "retransmissions", Severity: "low", Class: "O0", Why: "a test",
		Checks: []knowledge.Check{{Kind: []string{"host"}, When: `el.host == "lpar1"`, Condition: `el.protocol("tcp.retransmitted") > 0`}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := fleet(t, "two-systems", map[string]any{"lpar1": map[string]any{"protocols": tt.before}})
			all, err := set.Run(t.Context(), now, rule.Options{Before: before})
			if err != nil || len(all) != 1 {
				t.Fatalf("got %v, %v, want one verdict", all, err)
			}
			text := strings.Join(all[0].Missing, "; ")
			for _, e := range all[0].Evidence {
				text += e.Text
			}
			if got := all[0].Element.Host + " " + string(all[0].Verdict) + " " + text; got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A rule may ask for the share of a million in what grew.
func TestPPM(t *testing.T) {
	counters := func(drops, packets int) map[string]any {
		return map[string]any{"lpar1:ent0": map[string]any{"counted_s": drops, "counters": map[string]any{"Hypervisor Receive Failures": drops, "rx.Packets": packets}}}
	}
	tests := []struct {
		condition   string
		now, before map[string]any
		want        finding.Verdict
	}{
		{`el.ppm("Hypervisor Receive Failures", "rx.Packets") == 300000.0`, counters(300, 1000), nil, finding.Found},
		{`el.ppm("Hypervisor Receive Failures", "rx.Packets") == 200000.0`, counters(300, 1500), counters(100, 500), finding.Found},
		{`el.ppm("Hypervisor Receive Failures", "rx.Packets") >= 0`, counters(300, 500), counters(100, 500), finding.NotAssessed},
		{`el.ppm("no such counter", "rx.Packets") >= 0`, counters(300, 500), nil, finding.NotAssessed},
	}
	for _, tt := range tests {
		set, err := rule.Compile([]knowledge.Rule{{ID: "T1", Title: "a rate", Severity: "low", Class: "O0", Why: "a test",
			Checks: []knowledge.Check{{Kind: []string{"virtual-adapter"}, When: `el.host == "lpar1"`, Condition: tt.condition}}}})
		if err != nil {
			t.Fatal(err)
		}
		o := rule.Options{}
		if tt.before != nil {
			o.Before = fleet(t, "two-systems", tt.before)
		}
		all, err := set.Run(t.Context(), fleet(t, "two-systems", tt.now), o)
		if err != nil || len(all) != 1 || all[0].Verdict != tt.want {
			t.Errorf("%s: got %+v, %v, want %s", tt.condition, all, err, tt.want)
		}
	}
}
