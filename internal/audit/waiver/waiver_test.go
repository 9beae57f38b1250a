package waiver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/growth"
)

const file = `
waivers:
  - rule: R040
    at: vios1:ent0
    reason: the switch cannot
    until: 2027-03-31
    owner: network team
  - {rule: [R001, R002], at: "test*", reason: no load there, until: 2026-12-31}
  - {rule: R030, at: "*", reason: agreed, until: 2026-01-31}
  - {rule: R031, at: "*:ent4", reason: agreed, until: 2026-01-31}
  - {rule: R012, at: "lpar1:*", reason: a consequence, until: 2027-01-01}
  - {rule: R050, at: vios9, reason: a host, until: 2026-12-31}
`

func found(rule, host, element string, symptoms ...string) finding.Finding {
	r := model.Ref{Host: host, Element: element}
	return finding.Finding{ID: rule + "/" + r.String(), Rule: rule, Verdict: finding.Found, Element: r, Symptoms: symptoms}
}

// A site may waive each of its many findings by itself.
func TestApplyGrows(t *testing.T) {
	growth.Linear(t, 4000, func(n int) func() {
		var all []finding.Finding
		var list []Waiver
		for i := range n {
			host := fmt.Sprintf("lpar%d", i)
			all = append(all, found("R040", host, "en0"))
			list = append(list, Waiver{Rules: rules{"R040"}, At: host + ":en0"}, Waiver{Rules: rules{"R040"}, At: host})
		}
		return func() { Apply(all, list, time.Unix(0, 0)) }
	})
}

func TestApply(t *testing.T) {
	ws, err := Parse("site.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	all := []finding.Finding{
		found("R040", "vios1", "ent0"), found("R040", "vios1", "ent1"), found("R001", "test07", "en0"), found("R001", "contest", "en0"),
		found("R030", "lpar1", "ent0"), found("R050", "vios9", "ent4"), found("R050", "vios91", "ent4"), found("R001", "lpar1", "en0", "R012/lpar1:en0"),
		{ID: "R040/vios1:ent0", Rule: "R040", Verdict: finding.Pass, Element: model.Ref{Host: "vios1", Element: "ent0"}},
	}
	run := func(at string) (left, gone, warnings []string) {
		now, err := time.ParseInLocation("2006-01-02 15:04", at, time.Local)
		if err != nil {
			t.Fatal(err)
		}
		l, w, warnings := Apply(all, ws, now)
		for _, f := range l {
			left = append(left, f.ID+" "+string(f.Verdict))
		}
		for _, f := range w {
			gone = append(gone, f.ID+" "+f.Until+" "+f.Reason+" "+f.Owner)
		}
		return left, gone, warnings
	}
	expired := []string{
		"site.yaml: waiver 3 (R030 at *) expired after 2026-01-31",
		"site.yaml: waiver 4 (R031 at *:ent4) expired after 2026-01-31 and matches no finding: remove it",
	}
	left, gone, warnings := run("2026-12-31 23:59")
	wantLeft := []string{"R040/vios1:ent1 FINDING", "R001/contest:en0 FINDING", "R030/lpar1:ent0 FINDING", "R050/vios91:ent4 FINDING", "R001/lpar1:en0 FINDING", "R040/vios1:ent0 PASS"}
	wantGone := []string{"R040/vios1:ent0 2027-03-31 the switch cannot network team", "R001/test07:en0 2026-12-31 no load there ", "R050/vios9:ent4 2026-12-31 a host "}
	if diff := cmp.Diff([][]string{wantLeft, wantGone, expired}, [][]string{left, gone, warnings}); diff != "" {
		t.Errorf("left, waived, warnings (-want +got):\n%s", diff)
	}
	_, gone, _ = run("2027-01-01 00:00")
	if len(gone) != 1 {
		t.Errorf("the day after its last: got %v waived, want only R040", gone)
	}
	if _, _, warnings := Apply(nil, ws[:1], time.Unix(0, 0)); len(warnings) != 1 || !strings.Contains(warnings[0], "waiver 1 (R040 at vios1:ent0) matches no finding") {
		t.Errorf("a waiver without a finding: warnings %q", warnings)
	}
}

func TestParseRefuses(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"no rule":      {"waivers: [{at: a, reason: b, until: 2027-01-01}]", "x: waiver 1 ( at a): rule:"},
		"a pattern":    {"waivers: [{rule: 'R*', at: a, reason: b, until: 2027-01-01}]", `rule "R*"`},
		"no place":     {"waivers: [{rule: R001, reason: b, until: 2027-01-01}]", "at: want host or host:element"},
		"no reason":    {"waivers: [{rule: R001, at: a, reason: ' ', until: 2027-01-01}]", "reason:"},
		"no last day":  {"waivers: [{rule: R001, at: a, reason: b}]", "until: want the last day"},
		"no day":       {"waivers: [{rule: R001, at: a, reason: b, until: next year}]", `until "next year"`},
		"a 30 of Feb":  {"waivers: [{rule: R001, at: a, reason: b, until: 2027-02-30}]", `until "2027-02-30"`},
		"mistyped key": {"waivers:\n  - rule: R001\n    resaon: b\n", `x:3: unknown key "resaon"`},
		"no YAML":      {"waivers: [", "x:1: not YAML"},
		"a list":       {"- rule: R001", "x:1: expected a mapping, found a list"},
		"several":      {"waivers: [{rule: R001}, {at: a}]", "waiver 2 ( at a)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("x", []byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
	if ws, err := Parse("x", nil); err != nil || len(ws) != 0 {
		t.Errorf("an empty file: got %v, %v, want none", ws, err)
	}
}

func TestLoad(t *testing.T) {
	name := filepath.Join(t.TempDir(), "site.yaml")
	if _, err := Load(t.Context(), name); err == nil || !strings.Contains(err.Error(), "site.yaml") {
		t.Errorf("no file: got error %v, want one that names it", err)
	}
	if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	if ws, err := Load(t.Context(), name); err != nil || len(ws) != 6 || ws[0].File != name {
		t.Errorf("got %v, %v, want six of %s", ws, err, name)
	}
	if err := os.Truncate(name, maxFile+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(t.Context(), name); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a huge file: got error %v, want one that says so", err)
	}
}

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          bool
	}{
		{"vios1", "vios1", true}, {"vios1", "vios10", false}, {"vios*", "vios10", true}, {"*", "", true}, {"*1", "vios1", true}, {"*1", "vios2", false},
		{"v*s*", "vios", true}, {"v*x*", "vios", false}, {"a*b*c", "a-b-b-c", true}, {"a*a", "a", false}, {"", "x", false}, {"**", "x", true},
	} {
		w := Waiver{Rules: rules{"R001"}, At: tt.pattern}
		if got := len(byPlace([]Waiver{w}).of("R001/"+tt.text+":en0")) == 1; got != tt.want {
			t.Errorf("glob(%q, %q): got %v, want %v", tt.pattern, tt.text, got, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(file))
	f.Add([]byte("waivers: [{rule: R001, at: a, reason: b, until: 2027-01-01}]"))
	f.Add([]byte("waivers: !!binary x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		ws, err := Parse("x", text)
		for _, w := range ws {
			if w.Reason == "" || w.At == "" || w.Until.IsZero() || len(w.Rules) == 0 {
				t.Errorf("an incomplete waiver was taken: %+v (%v)", w, err)
			}
		}
		Apply([]finding.Finding{found("R001", "a", "en0")}, ws, time.Unix(0, 0))
	})
}
