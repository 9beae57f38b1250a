package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
)

func ids(p *plan.Plan) []string {
	out := []string{}
	for _, s := range p.Steps {
		out = append(out, s.ID)
	}
	return out
}

// An SEA that carries clients hands them over before it is interrupted, and
// takes them back; its peer, which has none, comes first.
func TestFailoverAroundSteps(t *testing.T) {
	accept := []string{"R020", "R023", "R047"}
	jumbo := []string{"vios1:ent5:jumbo_frames=yes", "vios2:ent5:jumbo_frames=yes"}
	for _, c := range []struct {
		name   string
		change func(f *model.Fleet)
		want   []string
	}{
		{"primary and backup", func(*model.Fleet) {},
			[]string{"vios2:ent5:jumbo_frames", "vios1:ent5:failover", "vios1:ent5:jumbo_frames", "vios1:ent5:failback"}},
		{"both share", func(f *model.Fleet) {
			for h, state := range map[string]string{"vios1": "PRIMARY_SH", "vios2": "BACKUP_SH"} {
				sea := f.Host(h).Elements["ent5"]
				sea.HAState, sea.Attrs["ha_mode"] = state, attrs("ha_mode=sharing")["ha_mode"]
			}
		}, []string{"vios2:ent5:failover", "vios2:ent5:jumbo_frames", "vios2:ent5:failback",
			"vios1:ent5:failover", "vios1:ent5:jumbo_frames", "vios1:ent5:failback"}},
		{"LACP and adapter_reset", func(f *model.Fleet) {
			h := f.Host("vios1")
			h.Elements["ent7"] = &model.Element{Name: "ent7", Kind: model.EtherChannel, Members: []string{"ent0"}, MemberOf: "ent5",
				Attrs: attrs("mode=8023ad", "use_jumbo_frame=no")}
			h.Elements["ent5"].Real = "ent7"
		}, []string{"vios2:ent5:jumbo_frames", "vios1:ent5:no-reset", "vios1:ent5:failover", "vios1:ent5:jumbo_frames",
			"vios1:ent5:failback", "vios1:ent5:reset"}},
	} {
		f := behind(t, "5.14.0")
		c.change(f)
		p := simulate(t, f, accept, jumbo...)
		if d := cmp.Diff(append([]string{plan.SwitchPorts}, c.want...), ids(p)); d != "" {
			t.Errorf("%s: steps (-want +got), refused %+v:\n%s", c.name, p.Refused, d)
		}
		if again := simulate(t, f, accept, jumbo...); again.ID != p.ID {
			t.Errorf("%s: the same hosts gave plans %s and %s", c.name, p.ID, again.ID)
		}
	}
	p := simulate(t, behind(t, "5.14.0"), accept, jumbo...)
	away, back := p.Steps[2], p.Steps[4]
	if got := away.Do[0] + " / " + away.Undo[0] + " / " + back.Do[0]; got != "ioscli chdev -dev ent5 -attr ha_mode=standby / ioscli "+
		"chdev -dev ent5 -attr ha_mode=auto / ioscli chdev -dev ent5 -attr ha_mode=auto" {
		t.Errorf("commands: got %s", got)
	}
	if got := []string{away.Verify[1].Want, back.Verify[1].Want}; !slices.Equal(got, []string{"BACKUP", "PRIMARY"}) {
		t.Errorf("states waited for: got %v", got)
	}
	var facts []string
	for _, x := range p.Conditions {
		facts = append(facts, x.String())
	}
	if want := []string{"vios2:ent5 ha_state is BACKUP", "vios1:ent5 ha_state is PRIMARY"}; !slices.Equal(facts, want) {
		t.Errorf("conditions: got %v, want %v", facts, want)
	}
}

// Nobody's clients are interrupted unless their peer can carry them, and
// nothing that waits for a reboot comes into force on the way.
func TestUnsafeIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, setting, refused, accept string
		change                         func(f *model.Fleet)
	}{
		{"the peer is in limbo", "vios1:ent5:jumbo_frames=yes", `the peer vios2:ent5 of vios1:ent5 is "LIMBO": restore redundancy first`,
			plan.AcceptRedundancy,
			func(f *model.Fleet) { f.Host("vios2").Elements["ent5"].HAState = "LIMBO" }},
		{"the peer was not read", "vios1:ent5:jumbo_frames=yes", "its peer was not read", plan.AcceptRedundancy,
			func(f *model.Fleet) {
				f.Hosts = slices.DeleteFunc(f.Hosts, func(h *model.Host) bool { return h.Name == "vios2" })
			}},
		{"the peer has no link", "vios1:ent5:jumbo_frames=yes", "vios2:ent5 cannot take over from vios1:ent5: the link of ent0 is down",
			plan.AcceptRedundancy,
			func(f *model.Fleet) { down := false; f.Host("vios2").Elements["ent0"].LinkUp = &down }},
		{"both are primary", "vios1:ent5:jumbo_frames=yes", "do not hear each other over their control channel", plan.AcceptRedundancy,
			func(f *model.Fleet) { f.Host("vios2").Elements["ent5"].HAState = "PRIMARY" }},
		{"both are primary and are to share", "vios2:ent5:ha_mode=sharing", "do not hear each other over their control channel",
			plan.AcceptRedundancy,
			func(f *model.Fleet) { f.Host("vios2").Elements["ent5"].HAState = "PRIMARY" }},
		{"the primary steps aside for one that stands by", "vios1:ent5:ha_mode=standby",
			"vios2:ent5 cannot take over from vios1:ent5: its ha_mode is standby", plan.AcceptRedundancy,
			func(f *model.Fleet) {
				f.Host("vios2").Elements["ent5"].Attrs["ha_mode"] = attrs("ha_mode=standby")["ha_mode"]
			}},
		{"the primary steps aside for nobody", "vios1:ent5:ha_mode=standby", "its peer was not read", plan.AcceptRedundancy,
			func(f *model.Fleet) {
				f.Hosts = slices.DeleteFunc(f.Hosts, func(h *model.Host) bool { return h.Name == "vios2" })
			}},
		{"failover is switched off", "vios2:ent5:ha_mode=disabled", "of the same VLANs, a loop", plan.AcceptRedundancy,
			func(*model.Fleet) {}},
		{"something waits for a reboot", "lpar1:en0:mtu=1400", "left for the next boot (ent0 chksum_offload=no)", plan.AcceptPending,
			func(f *model.Fleet) {
				f.Host("lpar1").Elements["ent0"].Attrs["chksum_offload"] = attrs("chksum_offload=yes/no")["chksum_offload"]
			}},
	} {
		f := behind(t, "5.14.0")
		c.change(f)
		rules := []string{"R020", "R021", "R023", "R025", "R047", "R048", "R003"}
		p := simulate(t, f, rules, c.setting)
		if len(p.Steps) != 0 || len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Reason, c.refused) {
			t.Errorf("%s: got steps %v, refused %+v, want %q", c.name, ids(p), p.Refused, c.refused)
		}
		if p := simulate(t, f, append(rules, c.accept), c.setting); len(p.Steps) == 0 {
			t.Errorf("%s: with --accept %s got no step, refused %+v", c.name, c.accept, p.Refused)
		}
	}
}

// A tunable that no(1) sets for the next boot only waits for it, and is read
// back from there; the id of a step with many attributes stays short.
func TestTunablesForTheNextBoot(t *testing.T) {
	f := behind(t, "5.14.0")
	all := attrs("ipqmaxlen=100", "rfc1323=0", "sack=0", "tcp_ecn=0", "tcp_fastlo=0", "tcp_recvspace=16384")
	f.Host("lpar1").Tunables = all
	p := simulate(t, f, nil, "lpar1:no:ipqmaxlen=512", "lpar1:no:rfc1323=1", "lpar1:no:sack=1", "lpar1:no:tcp_ecn=1",
		"lpar1:no:tcp_fastlo=1", "lpar1:no:tcp_recvspace=262144")
	if d := cmp.Diff([]string{"lpar1:no:rfc1323+4", "lpar1:no:ipqmaxlen"}, ids(p)); d != "" {
		t.Fatalf("steps (-want +got), refused %+v:\n%s", p.Refused, d)
	}
	s := p.Steps[1]
	if got := []string{s.Do[0], s.Verify[0].Command, s.Undo[0], s.Before[0].Command}; !s.Pending || s.Window != plan.Reboot ||
		!slices.Equal(got, []string{"no -r -o ipqmaxlen=512", "no -r -o ipqmaxlen", "no -r -o ipqmaxlen=100", "no -r -o ipqmaxlen"}) {
		t.Errorf("got %q, pending %t, window %s", got, s.Pending, s.Window)
	}
}

// A value that names an adapter names one that is there.
func TestAdapterThatIsNotThere(t *testing.T) {
	f := behind(t, "5.14.0")
	f.Host("vios2").Elements["ent5"].Attrs["pvid_adapter"] = attrs("pvid_adapter=ent4")["pvid_adapter"]
	p := simulate(t, f, []string{"R047"}, "vios2:ent5:pvid_adapter=ent66")
	if len(p.Steps) != 0 || len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Reason,
		"vios2 has, and ent66 is not there: is ent6 meant?") {
		t.Errorf("got steps %v, refused %+v, want it refused", ids(p), p.Refused)
	}
	if p := simulate(t, f, []string{"R047"}, "vios2:ent5:pvid_adapter=ent6"); len(p.Steps) != 1 {
		t.Errorf("one that is there: got steps %v, refused %+v", ids(p), p.Refused)
	}
}

// One SEA of a pair may step aside, both may not; of two that both pass packets
// one can be taken out.
func TestSteppingAside(t *testing.T) {
	rules := []string{"R048"}
	if p := simulate(t, behind(t, "5.14.0"), rules, "vios1:ent5:ha_mode=standby"); len(p.Steps) != 1 {
		t.Errorf("the primary steps aside: got steps %v, refused %+v, want one step", ids(p), p.Refused)
	}
	if p := simulate(t, behind(t, "5.14.0"), rules, "vios2:ent5:ha_mode=standby"); len(p.Steps) != 1 {
		t.Errorf("the backup is kept out: got steps %v, refused %+v, want one step", ids(p), p.Refused)
	}
	p := simulate(t, behind(t, "5.14.0"), rules, "vios1:ent5:ha_mode=standby", "vios2:ent5:ha_mode=standby")
	if len(p.Steps) != 0 || len(p.Refused) != 2 || !strings.Contains(p.Refused[0].Reason, "no SEA would carry their clients") {
		t.Errorf("both stand by: got steps %v, refused %+v, want both refused", ids(p), p.Refused)
	}
	f := behind(t, "5.14.0")
	f.Host("vios2").Elements["ent5"].HAState = "PRIMARY"
	if p := simulate(t, f, rules, "vios2:ent5:ha_mode=standby"); len(p.Steps) != 1 {
		t.Errorf("one of two primaries is taken out: got steps %v, refused %+v, want one step", ids(p), p.Refused)
	}
}
