package audit

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

func find(t *testing.T, all []finding.Finding, id string) finding.Finding {
	t.Helper()
	for _, f := range all {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("got no finding %s, want one", id)
	return finding.Finding{}
}

func run(t *testing.T, f *model.Fleet, opts rule.Options) []finding.Finding {
	t.Helper()
	all, err := builtIn(t).Run(t.Context(), f, opts)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEvidenceIsTheLineRead(t *testing.T) {
	f := fleet(t, "two-systems", map[string]any{"vios1:ent5": map[string]any{"attrs": map[string]any{"largesend": 0}}})
	a := f.Element(model.Ref{Host: "vios1", Element: "ent5"}).Attrs["largesend"]
	a.From = []model.Origin{{Command: "lsdev -dev ent5 -attr", Line: 12, Text: "largesend 0 Enable Hardware Transmit TCP Resegmentation True"}}
	got := find(t, run(t, f, rule.Options{}), "R004/vios1:ent5")
	want := []finding.Evidence{{Host: "vios1", Command: "lsdev -dev ent5 -attr", Line: 12, Text: "largesend 0 Enable Hardware Transmit TCP Resegmentation True"}}
	if diff := cmp.Diff(want, got.Evidence); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if got.Why == "" || got.Effect == "" || len(got.Sources) == 0 || got.Class != "O0" {
		t.Errorf("finding lacks why, effect, sources or class: %+v", got)
	}
}

func TestWhatCannotBeSetIsNoEvidence(t *testing.T) {
	f := fleet(t, "linux", map[string]any{"linux1:eth0": map[string]any{"attrs": map[string]any{
		"gro": "off", "tso": map[string]any{"running": "off", "settable": false}}}})
	got := find(t, run(t, f, rule.Options{}), "R110/linux1:eth0")
	if got.Verdict != finding.Found || len(got.Evidence) != 1 || !strings.Contains(got.Evidence[0].Text, "gro") {
		t.Errorf("got %s, evidence %+v, want gro alone", got.Verdict, got.Evidence)
	}
}

func TestOneWrongSEAIsOneFinding(t *testing.T) {
	f := fleet(t, "pair", map[string]any{"vios1:ent9": map[string]any{"attrs": map[string]any{"largesend": 0}}})
	var ids []string
	for _, x := range atLeast(run(t, f, rule.Options{}), finding.Low) {
		ids = append(ids, x.ID)
	}
	if diff := cmp.Diff([]string{"R004/vios1:ent9"}, ids); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestBothEndsAreTwoFindings(t *testing.T) {
	bad := map[string]any{"flags": []any{"UP"}, "attrs": map[string]any{"mtu_bypass": "off"}}
	f := fleet(t, "two-systems", map[string]any{"lpar1:en0": bad, "lpar2:en0": bad})
	if got, want := named(t, builtIn(t), f, rule.Options{}, finding.Low), []string{"R001/lpar1:en0", "R001/lpar2:en0"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOnlyTheODMIsKnown(t *testing.T) {
	f := fleet(t, "two-systems", map[string]any{"vios1:ent5": map[string]any{"attrs": map[string]any{"largesend": map[string]any{"running": nil, "next_boot": "0"}}}})
	f.Element(model.Ref{Host: "vios1", Element: "ent5"}).Attrs["largesend"].Running = nil
	got := find(t, run(t, f, rule.Options{}), "R004/vios1:ent5")
	if got.Verdict != finding.Found || !strings.Contains(strings.Join(got.Cautions, " "), "value of the ODM was judged") {
		t.Errorf("got %s %q, want a FINDING that says that the ODM was judged", got.Verdict, got.Cautions)
	}
}

func TestNextBootBringsTheFault(t *testing.T) {
	f := fleet(t, "two-systems", map[string]any{"vios1:ent5": map[string]any{"attrs": map[string]any{"largesend": map[string]any{"running": "1", "next_boot": "0"}}}})
	all := run(t, f, rule.Options{})
	got := find(t, all, "R004/vios1:ent5")
	want := []finding.Setting{{Ref: model.Ref{Host: "vios1", Element: "ent5"}, Attr: "largesend", Value: "1"}}
	if diff := cmp.Diff(want, got.Remedy); got.Verdict != finding.Found || diff != "" {
		t.Errorf("got %s, remedy (-want +got):\n%s", got.Verdict, diff)
	}
	if f := find(t, all, "R081/vios1:ent5"); f.Verdict != finding.Pass {
		t.Errorf("a difference that R004 has named: got %s of R081, want PASS", f.Verdict)
	}
}

func TestOrderIsByImpact(t *testing.T) {
	f := fleet(t, "two-systems", map[string]any{
		"vios1:ent5": map[string]any{"attrs": map[string]any{"largesend": 0, "adapter_reset": "yes", "accounting": "disabled"}},
		"lpar1:en0":  map[string]any{"attrs": map[string]any{"rfc1323": 0}},
	})
	all := run(t, f, rule.Options{All: true})
	ordered := slices.IsSortedFunc(all, finding.ByImpact)
	if !ordered || all[0].ID != "R004/vios1:ent5" {
		t.Errorf("got first %s, sorted %v; want R004/vios1:ent5 first, all sorted", all[0].ID, ordered)
	}
	seen := map[string]bool{}
	for _, x := range all {
		if seen[x.ID] {
			t.Errorf("id %s is there twice", x.ID)
		}
		seen[x.ID] = true
		if x.Verdict == finding.NotAssessed && len(x.Missing) == 0 {
			t.Errorf("%s is not assessed but does not say what is missing", x.ID)
		}
	}
}

func TestSameFleetSameAnswer(t *testing.T) {
	set := builtIn(t)
	var first string
	var wait sync.WaitGroup
	out := make([]string, 4)
	for i := range out {
		wait.Go(func() {
			all, err := set.Run(t.Context(), fleet(t, "pair", nil), rule.Options{All: true})
			if err != nil {
				t.Error(err)
				return
			}
			text, err := json.Marshal(all)
			if err != nil {
				t.Error(err)
			}
			out[i] = string(text)
		})
	}
	wait.Wait()
	first = out[0]
	for i, text := range out {
		if text != first {
			t.Errorf("run %d differs from run 0:\n%s", i, cmp.Diff(first, text))
		}
	}
}

func TestOptions(t *testing.T) {
	f := fleet(t, "two-systems", map[string]any{"vios1:ent5": map[string]any{"attrs": map[string]any{"largesend": 0}}})
	if got := named(t, builtIn(t), f, rule.Options{Disable: []string{"R004"}}, finding.Low); len(got) > 0 {
		t.Errorf("R004 disabled: got %v, want none", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := builtIn(t).Run(ctx, f, rule.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v, want context.Canceled", err)
	}
	_, err := rule.Compile([]knowledge.Rule{{ID: "X1", File: "site.yaml", Checks: []knowledge.Check{{Kind: []string{"sea"}, Condition: "of(el)"}}}})
	if err == nil || !strings.Contains(err.Error(), "site.yaml: rule X1: check 1: condition") {
		t.Errorf("rule that does not compile: got %v, want file, rule and place", err)
	}
}

// What a broken or hostile snapshot can bring must never stop an audit.
func TestStrangeInventories(t *testing.T) {
	set := builtIn(t)
	el := func(e model.Element) *model.Element { return &e }
	tests := map[string]*model.Fleet{
		"empty":      {},
		"empty host": {Hosts: []*model.Host{{Name: "a"}}},
		"nil parts": {Hosts: []*model.Host{{Name: "a", Platform: model.AIX, Elements: map[string]*model.Element{
			"en0": nil, "ent0": el(model.Element{Name: "ent0", Kind: model.Virtual, Attrs: map[string]*model.Attr{"buf_mode": nil, "mtu": {Name: "mtu"}}}),
		}}}},
		"circles": {Hosts: []*model.Host{{Name: "a", Platform: model.VIOS, MachineID: "m", Elements: map[string]*model.Element{
			"ent1": el(model.Element{Name: "ent1", Kind: model.EtherChannel, Members: []string{"ent1", "ent2"}}),
			"ent2": el(model.Element{Name: "ent2", Kind: model.EtherChannel, Members: []string{"ent1"}}),
			"ent3": el(model.Element{Name: "ent3", Kind: model.SEA, SEAFacts: model.SEAFacts{Real: "ent3", Trunks: []string{"ent3"}}, VirtualFacts: model.VirtualFacts{PVID: new(1)}}),
			"en4":  el(model.Element{Name: "en4", Kind: model.Interface, On: "en5", Up: new(true)}),
			"en5":  el(model.Element{Name: "en5", Kind: model.VLANDevice, On: "en4"}),
			"ent6": el(model.Element{Name: "ent6", Kind: model.Virtual, MemberOf: "ent3", Counters: model.CountersOf(map[string]uint64{"rx.No Resource Errors": 1<<64 - 1})}),
		}}}},
		"odd values": fleet(t, "two-systems", map[string]any{
			"lpar1:en0":  map[string]any{"attrs": map[string]any{"mtu": "1,500", "mtu_bypass": "vielleicht", "rfc1323": "-", "tcp_sendspace": "99999999999999999999"}},
			"vios1:ent5": map[string]any{"attrs": map[string]any{"largesend": "", "pvid": "x", "pvid_adapter": "ent77"}, "real": "ent99"},
		}),
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			all, err := set.Run(t.Context(), f, rule.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range all {
				if x.Verdict == finding.NotAssessed && strings.Contains(strings.Join(x.Missing, " "), "failed on") {
					t.Errorf("%s: a rule failed: %v", x.ID, x.Missing)
				}
			}
			if name == "odd values" {
				for _, id := range []string{"R001/lpar1:en0", "R004/vios1:ent5", "R071/lpar1:en0"} {
					if got := find(t, all, id).Verdict; got != finding.NotAssessed {
						t.Errorf("%s: got %s, want NOT_ASSESSED", id, got)
					}
				}
			}
		})
	}
}

func TestSeverities(t *testing.T) {
	all := []finding.Finding{
		{ID: "a", Verdict: finding.Found, Severity: finding.High, Element: model.Ref{Host: "x"}},
		{ID: "b", Verdict: finding.Found, Severity: finding.Info, Element: model.Ref{Host: "x"}},
		{ID: "c", Verdict: finding.Pass, Severity: finding.Critical, Element: model.Ref{Host: "y"}},
	}
	if got := atLeast(all, finding.Medium); len(got) != 1 || got[0].ID != "a" {
		t.Errorf("at least medium: got %v, want only a", got)
	}
	for text, want := range map[string]finding.Severity{"HIGH": finding.High, "info": finding.Info, "loud": ""} {
		if got, err := finding.ParseSeverity(text); got != want || (err != nil) != (want == "") {
			t.Errorf("ParseSeverity(%q): got %q %v, want %q", text, got, err, want)
		}
	}
}
