package findings_test

import (
	"errors"
	"strings"
	"testing"

	"seaworthy/internal/app"
	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/test/transcripts"
)

// The hosts have large send off; R001 finds that.
func TestAuditRunningHosts(t *testing.T) {
	hosts := transcripts.Start(t)
	access := fleet.Access{SSHConfig: hosts.Config}
	q := findings.Audit{Program: "test"}
	r, err := q.Run(t.Context(), access, []string{"lpar1", "vios1", "lpar2", "vios2"})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range r.Findings {
		found[f.ID] = true
	}
	if !found["R001/lpar1:en0"] || r.Version != "test" || len(r.Hosts) != 4 || r.Passed == 0 {
		t.Errorf("got findings %v of %v by %q, %d passed", found, r.Hosts, r.Version, r.Passed)
	}
	p, err := findings.Plan(t.Context(), r.Rules, r.Reading.Fleet, r.Findings)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(p.Values(), "\n"), "mtu_bypass") {
		t.Errorf("plan of the findings: got %v, want mtu_bypass among them", p.Values())
	}
}

// A path and a choice of rules leave the other findings out.
func TestAuditOfAPath(t *testing.T) {
	hosts := transcripts.Start(t)
	access := fleet.Access{SSHConfig: hosts.Config}
	q := findings.Audit{From: "lpar1", To: "lpar2", Only: []string{"r001"}}
	r, err := q.Run(t.Context(), access, []string{"lpar1", "vios1", "lpar2", "vios2"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Path == nil || len(r.Findings) == 0 {
		t.Fatalf("got path %v and findings %v, want both", r.Path, r.Findings)
	}
	for _, f := range r.All {
		if f.Rule != "R001" {
			t.Errorf("got %s, want findings of R001 alone", f.ID)
		}
	}
}

// A mistake in the rules is reported before any host is asked.
func TestAuditChecksBeforeItAsks(t *testing.T) {
	hosts := transcripts.Start(t)
	access := fleet.Access{SSHConfig: hosts.Config}
	q := findings.Audit{Rules: findings.Rules{Disabled: []string{"R000"}}}
	_, err := q.Run(t.Context(), access, []string{"lpar1"})
	var usage *app.UsageError
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), "R000") {
		t.Errorf("got %v, want that there is no rule R000", err)
	}
	if n := hosts.Server("lpar1").Logins(); n != 0 {
		t.Errorf("lpar1 was logged in to %d times, want never", n)
	}
}

func TestThreshold(t *testing.T) {
	medium := []finding.Finding{{Verdict: finding.Found, Severity: finding.Medium, Change: diff.Still}}
	for _, c := range []struct {
		text string
		want bool
	}{{"low", true}, {"medium", true}, {"high", false}, {"never", false}, {"new:low", false}} {
		threshold, err := findings.ParseThreshold(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := threshold.Reached(medium); got != c.want {
			t.Errorf("%s: got %v for a medium finding that is not new, want %v", c.text, got, c.want)
		}
	}
	_, err := findings.ParseThreshold("often")
	if err == nil {
		t.Error("often: got no error")
	}
}

func TestParseSettings(t *testing.T) {
	got, err := findings.ParseSettings([]string{"lpar1:en0:mtu_bypass=on"})
	if err != nil || len(got) != 1 || got[0].Host != "lpar1" || got[0].Attr != "mtu_bypass" || got[0].Value != "on" {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, bad := range []string{"lpar1:en0", "lpar1:mtu_bypass=on", "lpar1::mtu_bypass=on", ""} {
		_, err := findings.ParseSettings([]string{bad})
		if err == nil {
			t.Errorf("%q: got no error", bad)
		}
	}
}
