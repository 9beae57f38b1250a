package plan_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlanOrderAndCommands(t *testing.T) {
	l, v := pair(t)
	p := build(t, []*box{l, v},
		"lpar1:en0:mtu_bypass=on", "lpar1:ent0:chksum_offload=yes", "vios1:ent5:largesend=1",
		"vios1:ent0:large_send=yes", "lpar1:no:sb_max=2097152",
		"lpar1:en0:tcp_sendspace=262144", "lpar1:en0:tcp_recvspace=262144", "lpar1:en0:rfc1323=1",
		"lpar1:ent0:min_buf_small=4096", "lpar1:ent0:max_buf_small=4096")
	var got []string
	for _, s := range p.Steps {
		got = append(got, strings.Join(s.Do, " ; "))
	}
	want := []string{
		"ioscli chdev -dev ent0 -attr large_send=yes -perm",
		"ioscli chdev -dev ent5 -attr largesend=1",
		"no -p -o sb_max=2097152",
		"chdev -l en0 -a state=down ; chdev -l en0 -a state=detach ; chdev -l ent0 -a chksum_offload=yes ; chdev -l en0 -a state=up ; " +
			"mkdev -l inet0",
		"chdev -l ent0 -a max_buf_small=4096 -a min_buf_small=4096 -P",
		"chdev -l en0 -a mtu_bypass=on",
		"chdev -l en0 -a rfc1323=1 -a tcp_recvspace=262144 -a tcp_sendspace=262144",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("order of commands (-want +got):\n%s", d)
	}
	if len(p.Refused) != 0 {
		t.Errorf("refused: got %v, want none", p.Refused)
	}
}

func TestPlanIsStable(t *testing.T) {
	l, v := pair(t)
	list := []string{"vios1:ent5:largesend=1", "lpar1:en0:mtu_bypass=on", "lpar1:en0:rfc1323=1"}
	first := build(t, []*box{l, v}, list...)
	slices.Reverse(list)
	second := build(t, []*box{v, l}, list...)
	if d := cmp.Diff(first, second); d != "" {
		t.Errorf("the same hosts and desired in another order give another plan:\n%s", d)
	}
	if first.ID == "" {
		t.Error("plan has no id")
	}
}

func TestPlanRefusesWithReason(t *testing.T) {
	l, v := pair(t)
	l.host.Elements["en0"].Attrs["mtu_bypass"].Running = nil
	l.host.Elements["en0"].Attrs["mtu_bypass"].NextBoot = nil
	v.host.Elements["ent5"].Attrs["largesend"].Allowed = []string{"0", "1"}
	for _, c := range []struct{ setting, reason string }{
		{"lpar1:en0:mtu_bypass=on", "current value of mtu_bypass is not known"},
		{"lpar1:en9:mtu=9000", "lpar1 has no en9"},
		{"nobody:en0:mtu=9000", "host nobody was not read"},
		{"lpra1:en0:mtu=9000", "host lpra1 was not read: is lpar1 meant?"},
		{"lpar1:en00:mtu=9000", "lpar1 has no en00: is en0 meant?"},
		{"lpar1:en7:mtu=9000", "lpar1 has no en7"},
		{"lpar1:en0:MTU=9000", "no attribute MTU at this level: is mtu meant?"},
		{"lpar1:en0:largesend=1", "no attribute largesend at this level (it is one of a sea)"},
		{"lpar1:no:sbmax=1", "no tunable sbmax: is sb_max meant?"},
		{"lpar1:en0:nosuch=1", "no attribute nosuch"},
		{"vios1:ent5:largesend=2", "the host allows 0, 1"},
		{"lpar1:ent0:chksum_offload=maybe", "can be yes, no"},
		{"lpar1:en0;reboot:mtu=1", "not a name"},
		{"lpar1:en0:mtu=9000\nreboot", "line end"},
	} {
		p := build(t, []*box{l, v}, c.setting)
		if len(p.Steps) != 0 || len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Reason,
			c.reason) || strings.Contains(p.Refused[0].Reason, "meant") != strings.Contains(c.reason, "meant") {
			t.Errorf("%q: got steps %v refused %+v, want it refused because %q", c.setting, p.Steps, p.Refused, c.reason)
		}
	}
}

func TestValuesAreData(t *testing.T) {
	l, _ := pair(t)
	evil := `a'; reboot; $(reboot) "b`
	p := build(t, []*box{l}, "lpar1:en0:use_a_value_with_quote="+evil)
	if len(p.Steps) != 1 {
		t.Fatalf("got %d steps, want 1 (%+v)", len(p.Steps), p.Refused)
	}
	const last = `chdev() { for word; do :; done; printf %s "$word"; }; `
	got, err := exec.Command("/bin/sh", "-c", last+p.Steps[0].Do[0]).Output()
	if err != nil || string(got) != "use_a_value_with_quote="+evil {
		t.Errorf("the shell sees %q, %v, want the value as one word", got, err)
	}
}
