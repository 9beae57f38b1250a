package e2e

import (
	"strings"
	"testing"
	"time"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/draw"
	"seaworthy/lab/rehearsal"
)

// understated are steps that stop traffic for longer than two packets of the watch: offloads of a dedicated port take
// this kernel one, which nothing tells from chance.
var understated = []struct{ topology, setting string }{
	{"two-systems", "lpar1:en0:mtu=1400"}, {"two-systems", "lpar2:en0:mtu=1400"},
	{"two-systems", "lpar1:ent0:chksum_offload=no"}, {"two-systems", "lpar2:ent0:chksum_offload=no"},
	{"two-systems", "vios1:en5:mtu=1400"}, {"two-systems", "vios2:en5:mtu=1400"},
	{"dual-vios", "lpar1:en0:mtu=1400"}, {"dual-vios", "lpar2:en0:mtu=1400"}, {"dual-vios", "lpar3:en0:mtu=1400"},
	{"dual-vios", "lpar1:ent0:chksum_offload=no"}, {"dual-vios", "lpar2:ent0:chksum_offload=no"}, {"dual-vios", "lpar3:ent0:chksum_offload=no"},
	{"dual-vios", "vios1a:en5:mtu=1400"}, {"dual-vios", "vios2b:en5:mtu=1400"},
	{"dedicated", "lpar1:en0:mtu=1400"}, {"dedicated", "lpar2:en0:mtu=1400"},
	{"dedicated", "lpar1:en0:mtu=1300"}, {"dual-vios", "vios1b:en5:mtu=1400"},
	{"etherchannel", "lpar1:en0:mtu=1400"}, {"etherchannel", "lpar2:en3:mtu=1400"},
}

// A step whose outage is above its class is found, and named with who felt it: here the class says that traffic
// continues. With the class that the plan gives it, the same step is as planned.
func TestRehearsalFindsOutagesAboveTheClass(t *testing.T) {
	sites := map[string]*site{}
	for _, c := range draw.Costly(t, len(understated), 10, understated) {
		s := sites[c.topology]
		if s == nil {
			s = start(t, c.topology, "padmin")
			sites[c.topology] = s
		}
		p := s.plan(c.setting)
		if len(p.Steps) != 1 || p.Steps[0].Class == string(knowledge.O0) {
			t.Fatalf("%s, %s: got steps %v, want one that stops traffic", c.topology, c.setting, stepIDs(p))
		}
		try := func(p *plan.Plan) *rehearsal.Result {
			r, err := rehearsal.Run(t.Context(), rehearsal.Options{Lab: s.lab, Plan: p, Dir: t.TempDir(), Within: 5 * time.Second})
			if err != nil {
				t.Fatalf("%s, %s: %v", c.topology, c.setting, err)
			}
			return r
		}
		if r := try(p); r.Worse() {
			t.Errorf("%s, %s as class %s: %+v, trials %+v", c.topology, c.setting, p.Steps[0].Class, r.Steps, r.Phases)
		}
		p.Steps[0].Class, p.Steps[0].Outage = string(knowledge.O0), knowledge.O0.Outage()
		p, err := p.With(p.Steps) // else rollback refuses it as edited
		if err != nil {
			t.Fatal(err)
		}
		r := try(p)
		host, _, _ := strings.Cut(c.setting, ":")
		for _, phase := range r.Phases {
			if !phase.OK() {
				t.Errorf("%s, %s as class O0: %+v", c.topology, c.setting, phase)
			}
		}
		if len(r.Steps) != 1 || len(r.Steps[0].Worse) == 0 || !strings.Contains(strings.Join(r.Steps[0].Felt, " "), host+":") {
			t.Errorf("%s, %s as class O0: got %+v (noise %s), trials %+v, want it worse than its class, felt by %s",
				c.topology, c.setting, r.Steps, r.Noise, r.Phases, host)
		}
	}
}
