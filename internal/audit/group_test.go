package audit

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// groups runs an audit and gives what is wrong by cause: "rule where" → ids.
func groups(t *testing.T, f *model.Fleet) map[string][]string {
	t.Helper()
	all, err := builtIn(t).Run(t.Context(), f, rule.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, g := range finding.Groups(all) {
		if g.Severity != finding.Info {
			got[g.Rule+" "+g.Where()] = g.Findings
		}
	}
	return got
}

// crowd is a fleet with so many more clients like lpar1, changed as a case
// would; what stands under each is laid over every client.
func crowd(t *testing.T, name string, n int, each, with map[string]any) *model.Fleet {
	t.Helper()
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	base, _ := cat.Fleet(name)
	hosts := maps.Clone(base["hosts"].(map[string]any))
	all := maps.Clone(with)
	if all == nil {
		all = map[string]any{}
	}
	for i := range n {
		h := fmt.Sprintf("more%02d", i)
		hosts[h] = hosts["lpar1"]
		for at, v := range each {
			all[h+":"+at] = v
		}
		adapter := map[string]any{"mac": fmt.Sprintf("02:00:00:01:%02x:00", i)}
		own, _ := all[h+":ent0"].(map[string]any)
		maps.Copy(adapter, own)
		all[h+":ent0"] = adapter
		iface := map[string]any{"addrs": []any{fmt.Sprintf("192.0.2.%d/24", 100+i)}}
		own, _ = all[h+":en0"].(map[string]any)
		maps.Copy(iface, own)
		all[h+":en0"] = iface
	}
	f, err := rule.BuildFleet(map[string]any{"hosts": hosts}, all)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFortyClientsAreOneGroup(t *testing.T) {
	off := map[string]any{"en0": map[string]any{"flags": []any{"UP", "BROADCAST", "RUNNING"}, "attrs": map[string]any{"mtu_bypass": "off"}}}
	got := groups(t, crowd(t, "two-systems", 40, off, nil))
	if len(got) != 1 || len(got["R001 en0 on 40 hosts"]) != 40 {
		t.Errorf("groups: got %v, want one of 40 findings of R001", got)
	}
}

// One wrong SEA is one finding, however many clients it has.
func TestAWrongSEAWithFortyClientsIsOneFinding(t *testing.T) {
	wrong := func(attr string, v any) map[string]any {
		return map[string]any{"vios1:ent5": map[string]any{"attrs": map[string]any{attr: v}}}
	}
	tests := []struct {
		name    string
		with    map[string]any
		want    string
		clients int
	}{
		{"largesend", wrong("largesend", 0), "R004 vios1:ent5", 41},
		{"large_receive", wrong("large_receive", "no"), "R008 vios1:ent5", 41},
		{"jumbo_frames", wrong("jumbo_frames", "yes"), "R020 vios1:ent5", 0},
		{"a port's large_send", map[string]any{"vios1:ent0": map[string]any{"attrs": map[string]any{"large_send": "no"}}}, "R005 vios1:ent0", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, err := builtIn(t).Run(t.Context(), crowd(t, "two-systems", 40, nil, tt.with), rule.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var open []finding.Group
			for _, g := range finding.Groups(all) {
				if g.Severity != finding.Info {
					open = append(open, g)
				}
			}
			if len(open) != 1 || open[0].Rule+" "+open[0].Where() != tt.want {
				t.Fatalf("groups: got %v, want %s", open, tt.want)
			}
			if n := len(open[0].Affects); n < tt.clients {
				t.Errorf("clients that are affected: got %d, want %d", n, tt.clients)
			}
		})
	}
}

// Every finding is in one group; groups come by severity, then by reach.
func TestGroups(t *testing.T) {
	at := func(host, element string) model.Ref { return model.Ref{Host: host, Element: element} }
	one := func(id, title string, s finding.Severity, r model.Ref, affects ...model.Ref) finding.Finding {
		return finding.Finding{ID: id + "/" + r.String(), Rule: id, Title: title, Severity: s, Verdict: finding.Found, Element: r, Affects: affects,
			Evidence: []finding.Evidence{{Host: "x", Text: "the same"}, {Host: r.Host, Text: id}},
			Remedy:   []finding.Setting{{Ref: r, Attr: "a", Value: "1"}, {Ref: at("sea", "ent5"), Attr: "b", Value: "2"}}}
	}
	all := []finding.Finding{
		one("R1", "a", finding.High, at("h1", "en0"), at("h2", "en0"), at("c", "en9")),
		one("R2", "b", finding.High, at("h1", "en0")), one("R2", "b", finding.High, at("h2", "en0")), one("R2", "b", finding.High, at("h2", "en1")), one("R2", "b", finding.High, at("h3", "en0")),
		one("R1", "a", finding.High, at("h2", "en0"), at("h1", "en0"), at("c", "en9")),
		one("R1", "other words", finding.High, at("h1", "en0")),
		one("R3", "c", finding.Critical, at("h1", "en0")),
		{Rule: "R4", Verdict: finding.NotAssessed}, {Rule: "R4", Verdict: finding.Pass},
	}
	type line struct {
		Where                    string
		Hosts, Findings, Affects int
		Evidence, First          int
		Changes                  []int
	}
	want := []line{
		{"h1:en0", 1, 1, 0, 2, 2, []int{1, 1}},
		{"4 elements on 3 hosts", 3, 4, 0, 4, 2, []int{4, 1}},
		{"en0 on 2 hosts", 2, 2, 1, 3, 2, []int{2, 1}},
		{"h1:en0", 1, 1, 0, 2, 2, []int{1, 1}},
	}
	var got []line
	for _, g := range finding.Groups(all) {
		proof, first := g.Evidence()
		l := line{g.Where(), g.Hosts, len(g.Findings), len(g.Affects), len(proof), first, nil}
		for _, w := range g.Remedy {
			l.Changes = append(l.Changes, len(w.At))
		}
		got = append(got, l)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	if got := finding.Groups(nil); got != nil {
		t.Errorf("no findings: got %v, want no group", got)
	}
}

func TestLacks(t *testing.T) {
	la := func(id, host string, missing ...string) finding.Finding {
		return finding.Finding{Rule: id, Verdict: finding.NotAssessed, Element: model.Ref{Host: host, Element: "en0"}, Missing: missing}
	}
	got := finding.SummarizeMissing([]finding.Finding{
		la("R060", "a", "a: cores used, which no snapshot holds (--fact cores_used)"),
		la("R060", "b", "b: cores used, which no snapshot holds (--fact cores_used)"),
		la("R001", "a", "a en0: mtu_bypass (lsattr -El en0 -a mtu_bypass)"),
		la("R003", "a", "a en1: mtu_bypass (lsattr -El en1 -a mtu_bypass)", "somewhere else altogether"),
		la("R001", "b", "a en12: mtu_bypass (lsattr -El en12 -a mtu_bypass)"),
		{Rule: "R005", Verdict: finding.Found, Missing: []string{"a en0: nothing"}},
	})
	want := []finding.MissingFact{
		{What: "mtu_bypass", How: "lsattr -El enN -a mtu_bypass", Rules: []string{"R001", "R003"}, Hosts: 1, Verdicts: 3},
		{What: "cores used, which no snapshot holds", How: "--fact cores_used", Rules: []string{"R060"}, Hosts: 2, Verdicts: 2},
		{What: "somewhere else altogether", Rules: []string{"R003"}, Hosts: 1, Verdicts: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lacks (-want +got):\n%s", diff)
	}
}
