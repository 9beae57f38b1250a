package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/draw"
	"seaworthy/lab"
)

// The published procedure turns jumbo frames on at a port of an LPAR's own, at
// a VIOS and at its client. It leaves out that the ports under an SEA are busy,
// so that their values wait for a reboot, and that an EtherChannel has a
// switch of its own. A plan has both, in an order that loses no packet.
func TestJumboProcedure(t *testing.T) {
	draw.Rarely(t, 2)
	t.Parallel()
	s := start(t, "tojumbo", "padmin")
	desired := []string{
		"lpar1:en0:mtu=9000", "lpar2:en0:mtu=9000", "lpar2:ent0:jumbo_frames=yes", "vios1:en5:mtu=9000",
		"vios1:ent0:jumbo_frames=yes", "vios1:ent1:jumbo_frames=yes", "vios1:ent2:use_jumbo_frame=yes", "vios1:ent5:jumbo_frames=yes",
	}
	p := s.plan(desired...)
	if len(p.Refused) > 0 || p.Next == nil {
		t.Fatalf("plan: refused %+v, next %+v", p.Refused, p.Next)
	}
	vios := slices.DeleteFunc(stepIDs(p), func(id string) bool { return !strings.HasPrefix(id, "vios1:") })
	want := []string{"vios1:ent0:jumbo_frames", "vios1:ent1:jumbo_frames", "vios1:ent2:use_jumbo_frame", "vios1:ent5:jumbo_frames"}
	if d := cmp.Diff(want, vios); d != "" {
		t.Errorf("before the reboot of vios1 (-want +got):\n%s", d)
	}
	for _, st := range p.Steps {
		if pending := strings.HasPrefix(st.ID, "vios1:"); st.Pending != pending {
			t.Errorf("%s: waits for a reboot: got %t, want %t", st.ID, st.Pending, pending)
		}
	}
	order := slices.Concat(stepIDs(p), stepIDs(p.Next))
	before := func(first, then string) {
		if a, b := slices.Index(order, first), slices.Index(order, then); a < 0 || b < 0 || a > b {
			t.Errorf("order: %s is not before %s in %v", first, then, order)
		}
	}
	// Of a port of the partition's own one bounce of the interface does for both.
	before(plan.SwitchPorts, "lpar2:ent0:jumbo_frames+en0.mtu")
	before(plan.SwitchPorts, "vios1:ent0:jumbo_frames")
	before("vios1:ent5:jumbo_frames", "lpar1:en0:mtu")
	before("vios1:en5:mtu", "lpar1:en0:mtu")

	old := s.settings()
	runner := s.runner()
	runner.Done = nil
	if _, err := runner.Apply(t.Context(), p); !errors.Is(err, execute.ErrManual) {
		t.Errorf("apply: got %v, want it to wait for the switch ports, which nobody can send jumbo frames through yet", err)
	}
	runner.Done = []string{plan.SwitchPorts}
	var runs []string
	for part := p; part != nil; part = part.Next {
		due, err := runner.NextPhase(t.Context(), p)
		if err != nil || due.ID != part.ID {
			t.Fatalf("part of the plan that is due: got %+v, %v, want %s", due, err, part.ID)
		}
		run, err := runner.Apply(t.Context(), part)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run.ID)
		for _, h := range run.Waits {
			s.reboot(h)
		}
		if run, err = runner.VerifyAfterReboot(t.Context(), run.ID); err != nil || len(run.Waits) > 0 {
			t.Fatalf("after the reboot: got %+v, %v, want all in force", run, err)
		}
	}
	s.pass("lpar1", "10.10.10.12", 9000)
	s.pass("lpar2", "10.10.10.11", 9000)
	s.pass("vios1", "10.10.10.12", 9000)

	for _, id := range slices.Backward(runs) {
		if run, err := runner.Rollback(context.WithoutCancel(t.Context()), id); err != nil || run.Outcome != execute.RolledBack {
			t.Fatalf("rollback: got %+v, %v", run, err)
		}
	}
	s.reboot("vios1")
	s.look("lpar1", "lpar2", "vios1")
	if d := cmp.Diff(old, s.settings()); d != "" {
		t.Errorf("settings before the plan and after its rollback (-before +after):\n%s", d)
	}
}

// Switch ports that were forgotten undo a plan whose packets they drop.
func TestJumboWithForgottenPorts(t *testing.T) {
	draw.Rarely(t, 3)
	t.Parallel()
	s := start(t, "dedicated", "padmin")
	p := s.plan("lpar1:en0:mtu=9000", "lpar2:en0:mtu=9000", "lpar1:ent0:jumbo_frames=yes", "lpar2:ent0:jumbo_frames=yes")
	if len(p.Steps) != 3 || len(p.Proofs) != 2 {
		t.Fatalf("plan: got steps %v, proofs %+v, refused %+v, want 3 steps and a proof each way", stepIDs(p), p.Proofs, p.Refused)
	}
	old := s.settings()
	run, err := s.runner().Apply(t.Context(), p)
	if err == nil || !strings.Contains(err.Error(), "packets of 9000 bytes do not arrive whole") || run.Outcome != execute.RolledBack {
		t.Errorf("apply: got %+v, %v, want it undone because packets do not arrive", run, err)
	} else if !strings.Contains(err.Error(), "What stops them is the switch port of lpar1:ent0 or the switch port of lpar2:ent0") {
		t.Errorf("apply: got %v, want the two ports that can be it", err)
	}
	s.look("lpar1", "lpar2")
	if d := cmp.Diff(old, s.settings()); d != "" {
		t.Errorf("settings before and after (-before +after):\n%s", d)
	}
}

func stepIDs(p *plan.Plan) []string {
	var out []string
	for _, s := range p.Steps {
		out = append(out, s.ID)
	}
	return out
}

// plan plans settings, HOST:ELEMENT:ATTR=VALUE, against the hosts as last read.
func (s *site) plan(settings ...string) *plan.Plan {
	s.t.Helper()
	var ws []plan.DesiredSetting
	for _, x := range settings {
		head, value, _ := strings.Cut(x, "=")
		f := strings.Split(head, ":")
		ws = append(ws, plan.DesiredSetting{Setting: finding.Setting{Ref: model.Ref{Host: f[0], Element: f[1]}, Attr: f[2], Value: value}})
	}
	p, err := plan.Simulator{Rules: s.rules}.Build(s.t.Context(), s.fleet(), s.cat, ws)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// reboot reboots a host. The session ends with it.
func (s *site) reboot(host string) {
	s.t.Helper()
	if _, err := s.lab.Exec(s.t.Context(), strings.TrimSuffix(host, "-root"), "root", "reboot", lab.Stdio{}); err != nil {
		s.t.Logf("%s: reboot: %v", host, err)
	}
}

// pass checks that packets of a size reach an address whole.
func (s *site) pass(host, to string, bytes int) {
	s.t.Helper()
	login := task.LoginOf(s.read[s.login(host)])
	ping := login.Ping(netip.MustParseAddr(to), bytes, 2, login.DontFragment())
	res, err := s.hosts[s.login(host)].Run(s.t.Context(), ping.Command())
	if err != nil || !pathmtu.Answered(string(res.Stdout)) {
		s.t.Errorf("%s: %s: got %v, %s, want an answer", host, ping, err, fmt.Sprint(res))
	}
}
