package tuning_test

import (
	"context"
	"strings"
	"testing"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/tuning"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/transcripts"
	"seaworthy/internal/tune"
)

func draft(t *testing.T, change func(*tuning.Question)) (*tune.Result, error) {
	t.Helper()
	hosts := transcripts.Start(t)
	goal, err := tune.GoalByName("throughput")
	if err != nil {
		t.Fatal(err)
	}
	q := tuning.Question{From: "lpar1", To: "lpar2", Goal: goal, MaxOutage: knowledge.O0,
		Options: tune.Options{Budget: 3600, Trial: 3}}
	change(&q)
	return q.Draft(context.Background(), fleet.Access{SSHConfig: hosts.Config}, []string{"lpar1", "vios1", "lpar2", "vios2"})
}

// A draft names what would be tried on running hosts, and changes nothing there.
func TestDraft(t *testing.T) {
	r, err := draft(t, func(*tuning.Question) {})
	if err != nil {
		t.Fatal(err)
	}
	if r.From != "lpar1:en0" || r.To != "lpar2:en0" || len(r.Space.Factors) == 0 {
		t.Errorf("got %+v, want factors of the path lpar1:en0 to lpar2:en0", r)
	}
}

func TestDraftOfUnknownHost(t *testing.T) {
	_, err := draft(t, func(q *tuning.Question) { q.To = "lpar9" })
	if err == nil || !strings.Contains(err.Error(), "lpar9") {
		t.Errorf("got %v, want lpar9 named", err)
	}
}

// A space that a person wrote is judged like one of the catalogue's.
func TestDraftOfBadSpace(t *testing.T) {
	_, err := draft(t, func(q *tuning.Question) { q.Space, q.SpaceText = "mine.yaml", []byte("factors: 7\n") })
	if err == nil || !strings.Contains(err.Error(), "mine.yaml") {
		t.Errorf("got %v, want the file named", err)
	}
}
