package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/test/draw"
)

// Several mis-settings at once are all named, and no more than they; the plan
// of their remedies is applied and cures them; a rollback brings every value
// back as it was.
func TestRemedies(t *testing.T) {
	sets := draw.OneIn(t, 32, together)
	if missettings == "each" {
		sets = nil
		for _, c := range singles {
			sets = append(sets, batch{c.lab, "padmin", []misset{c}})
			if strings.HasPrefix(c.host, "vios") && !strings.HasPrefix(c.do, "ioscli") { // which root does not have in its path
				sets = append(sets, batch{c.lab, "root", []misset{c}})
			}
		}
	}
	for _, b := range sets {
		t.Run(b.name(), func(t *testing.T) {
			t.Parallel()
			s := start(t, b.lab, b.login)
			s.spoil(b)
			all := s.audit()
			if diff := cmp.Diff(b.want(), named(all)); diff != "" {
				t.Fatalf("findings (-want +got):\n%s", diff)
			}
			s.cure(all)
		})
	}
}

// cure plans, applies, and rolls back what findings ask for.
func (s *site) cure(all []finding.Finding) {
	t := s.t
	t.Helper()
	worst := atLeast(all, finding.Low)
	p, err := plan.Build(s.fleet(), s.cat, plan.FromFindings(worst))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range p.Refused {
		t.Errorf("plan: refused %s %s=%s: %s", r.Setting.Ref, r.Setting.Attr, r.Setting.Value, r.Reason)
	}
	if len(p.Steps) == 0 {
		return
	}
	before := s.settings()
	runner := s.runner()
	run, err := runner.Apply(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	s.look(p.Hosts...)
	s.cured(p, worst)
	back, err := runner.Rollback(context.WithoutCancel(t.Context()), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	if back.Outcome != execute.RolledBack {
		t.Errorf("rollback: got outcome %s, want %s", back.Outcome, execute.RolledBack)
	}
	s.look(p.Hosts...)
	if diff := cmp.Diff(before, s.settings()); diff != "" {
		t.Errorf("settings before the plan and after its rollback (-before +after):\n%s", diff)
	}
}

// cured checks that no finding is left but those that have no remedy, and those
// whose remedy waits for a reboot.
func (s *site) cured(p *plan.Plan, before []finding.Finding) {
	s.t.Helper()
	had := map[string]finding.Finding{}
	for _, f := range before {
		had[f.ID] = f
	}
	for _, f := range atLeast(s.audit(), finding.Low) {
		old, was := had[f.ID]
		waits := slices.ContainsFunc(p.Steps, func(st plan.Step) bool {
			return st.Pending && (st.Host == f.Element.Host && st.Element == f.Element.Element ||
				slices.ContainsFunc(old.Remedy, func(x finding.Setting) bool { return x.Host == st.Host && x.Element == st.Element }))
		})
		switch {
		case len(f.Remedy) == 0 && (!was || len(old.Remedy) == 0): // what the change itself dropped, say
		case waits && len(f.Remedy) == 0:
		default:
			s.t.Errorf("after the plan: %s %s (remedy %v), want it cured", f.ID, f.Title, f.Remedy)
		}
	}
}
