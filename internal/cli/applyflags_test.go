package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli/command"
)

func TestApplyFlags(t *testing.T) {
	for _, c := range []struct{ line, says string }{
		{"apply p.json --no-wait --auto-confirm", "exclude each other"},
		{"apply p.json --confirm-within 2s", "at least 5s"},
		{"apply p.json --confirm-within 10s --auto-confirm --no-wait", "exclude each other"},
		{"apply p.json --step-limit 0s", "expected at least 1s"},
		{"confirm", "usage: seaworthy confirm RUN"},
		{"probe mtu a", "usage: seaworthy probe mtu A B"},
	} {
		var out, errs bytes.Buffer
		code := Main(t.Context(), strings.Fields(c.line), strings.NewReader(""), &out, &errs)
		if code != command.ExitUsage || !strings.Contains(errs.String(), c.says) {
			t.Errorf("%s: got status %d, %q, want %d and %q", c.line, code, errs.String(), command.ExitUsage, c.says)
		}
	}
}

func TestWindow(t *testing.T) {
	now := &plan.Plan{Steps: []plan.Step{{Window: plan.AnyTime}}}
	link := &plan.Plan{Steps: []plan.Step{{Window: plan.AnyTime}, {Window: plan.Bounce}}}
	for _, c := range []struct {
		name  string
		flags applyFlags
		plan  *plan.Plan
		want  time.Duration
	}{
		{"nothing asked for", applyFlags{}, link, 0},
		{"a time", applyFlags{within: time.Minute, auto: true}, link, time.Minute},
		{"no outage", applyFlags{noWait: true}, now, 2 * time.Minute},
		{"a link goes down", applyFlags{health: "true"}, link, 10 * time.Minute},
	} {
		if got := c.flags.window(c.plan); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestHealthCheck(t *testing.T) {
	var errs bytes.Buffer
	a := &applyCommand{commandLine: &commandLine{App: command.New("seaworthy", nil, nil, &errs)}}
	if err := a.healthCheck(t.Context(), "r-1", `echo "run $SEAWORTHY_RUN"`); err != nil || errs.String() != "run r-1\n" {
		t.Errorf("a check that passes: got %v, %q, want the run's id", err, errs.String())
	}
	if err := a.healthCheck(t.Context(), "r-1", "exit 3"); err == nil || !strings.Contains(err.Error(), "exit 3: exit status 3") {
		t.Errorf("a check that fails: got %v", err)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("the window is over"))
	defer cancel()
	if err := a.healthCheck(ctx, "r-1", "sleep 4716 & wait"); err == nil || !strings.Contains(err.Error(), "the window is over") {
		t.Errorf("a check that hangs: got %v", err)
	}
}

func TestMTUStatus(t *testing.T) {
	for _, c := range []struct {
		verdicts []pathmtu.Verdict
		want     int
	}{
		{[]pathmtu.Verdict{pathmtu.Whole, pathmtu.Whole}, command.ExitDone},
		{[]pathmtu.Verdict{pathmtu.Whole, pathmtu.BlackHole}, command.ExitNo},
		{[]pathmtu.Verdict{pathmtu.Rejected, pathmtu.NoAnswer}, command.ExitNo},
		{[]pathmtu.Verdict{pathmtu.NoAnswer, pathmtu.Whole}, command.ExitInconclusive},
	} {
		var ways []pathmtu.Direction
		for _, v := range c.verdicts {
			ways = append(ways, pathmtu.Direction{Verdict: v})
		}
		if got := command.Status(mtuStatus(ways)); got != c.want {
			t.Errorf("%v: got %d, want %d", c.verdicts, got, c.want)
		}
	}
}
