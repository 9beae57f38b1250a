package ticket_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/ticket"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/plantest"
)

// twoParts is a plan for a VIOS that has to be rebooted, and what a client
// gets after that.
func twoParts(t *testing.T) *plan.Plan {
	t.Helper()
	no, small := "no", "1500"
	v, l := host(model.VIOS, "padmin", "vios1"), host(model.AIX, "", "lpar1")
	v.Elements["ent0"] = &model.Element{Name: "ent0", Kind: model.Physical, MemberOf: "ent5",
		Attrs: map[string]*model.Attr{"bounced": {Running: &no, NextBoot: &no}}}
	l.Elements["en0"].Addrs = plantest.Prefixes(t, "10.0.0.1/24")
	l.Elements["en0"].Attrs["bounced"] = &model.Attr{Running: &small, NextBoot: &small}
	single := func(h *model.Host, element, value string) *plan.Plan {
		p, err := plan.Build(&model.Fleet{Hosts: []*model.Host{h}}, anything{},
			[]plan.DesiredSetting{{Setting: finding.Setting{Ref: model.Ref{Host: h.Name, Element: element}, Attr: "bounced", Value: value}}})
		if err != nil || len(p.Steps) != 1 {
			t.Fatalf("%s: got %+v, %v, want one step", h.Name, p, err)
		}
		return p
	}
	p := single(v, "ent0", "yes")
	if !p.Steps[0].Pending {
		t.Fatalf("got %+v, want a step that waits for a reboot", p.Steps[0])
	}
	p.Next = single(l, "en0", "9000")
	p.Next.Conditions = []plan.Condition{{Host: "vios1", Element: "ent0", Fact: "bounced", Want: "yes", Why: "vios1 was rebooted"}}
	p.Next.Proofs = []plan.Proof{{Host: "lpar1", Element: "en0", Peer: model.Ref{Host: "lpar2", Element: "en0"},
		To: plantest.Prefixes(t, "10.0.0.2/24")[0].Addr(), Bytes: 9000, Command: "ping -n -c 2 -w 2 -s 8972 10.0.0.2"}}
	return p
}

// What comes after the reboots runs by hand in every shell, proves its
// packets, and is taken back without what came before.
func TestAfterRebootInEveryShell(t *testing.T) {
	for _, shell := range shells(t) {
		name := strings.Join(shell, " ")
		b := newBench(t, shell)
		ping := "#!/bin/sh\nn=2\n[ -f \"$DB/lost\" ] && n=0\necho \"2 packets transmitted, $n packets received, 0% packet loss\"\n"
		if err := os.WriteFile(filepath.Join(b.tools, "ping"), []byte(ping), 0o700); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := ticket.Write(dir, twoParts(t), ticket.Evidence{}); err != nil {
			t.Fatal(err)
		}
		first := map[string]string{"ent0.bounced": "no", "en0.bounced": "1500", "en0.state": "up"}
		b.put(first)
		run := func(script string, ok bool, says string) {
			t.Helper()
			out, err := b.run(filepath.Join(dir, script))
			if (err == nil) != ok || !strings.Contains(out, says) {
				t.Errorf("%s: %s: got %v, %q, want success %v and %q", name, script, err, out, ok, says)
			}
		}
		is := func(when string, want map[string]string) {
			t.Helper()
			if d := cmp.Diff(want, b.get(want)); d != "" {
				t.Errorf("%s: %s (-want +got):\n%s", name, when, d)
			}
		}
		after := filepath.Join("AFTER-REBOOT", "lpar1")
		run("vios1/implement.sh", true, "step 1: done")
		is("before the reboot", map[string]string{"ent0.bounced": "yes", "en0.bounced": "1500", "en0.state": "up"})
		run(after+"/verify.sh", false, "NOT as planned")
		run(after+"/implement.sh", true, "step 1: done")
		is("after it", map[string]string{"ent0.bounced": "yes", "en0.bounced": "9000", "en0.state": "up"})
		run(after+"/verify.sh", true, "packets of 9000 bytes from lpar1:en0 reach lpar2:en0")
		b.put(map[string]string{"lost": ""})
		run(after+"/verify.sh", false, "NOT so: packets of 9000 bytes")
		run(after+"/implement.sh", false, "lpar1 en0 bounced is 9000, not 1500")
		run(after+"/backout.sh", true, "step 1: undone")
		is("the second part taken back", map[string]string{"ent0.bounced": "yes", "en0.bounced": "1500", "en0.state": "up"})
		run("vios1/backout.sh", true, "step 1: undone")
		is("all taken back", first)
	}
}

func TestAfterRebootTicket(t *testing.T) {
	dir := t.TempDir()
	p := twoParts(t)
	if err := ticket.Write(dir, p, ticket.Evidence{}); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(filepath.Join(dir, "CHANGE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"`no` → `yes`, active after a reboot", "- duration: some seconds, then a reboot, which takes as long as that partition needs"} {
		if !strings.Contains(string(first), want) {
			t.Errorf("CHANGE.md of what waits for a reboot: got\n%s\nwant %q in it", first, want)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "AFTER-REBOOT", "CHANGE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## Must hold before", "vios1:ent0 bounced is yes (vios1 was rebooted)", "sh lpar1/implement.sh 1"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("CHANGE.md of what comes after: got\n%s\nwant %q in it", text, want)
		}
	}
	if path, err := exec.LookPath("shellcheck"); err == nil {
		files, _ := filepath.Glob(filepath.Join(dir, "AFTER-REBOOT", "*", "*.sh"))
		if len(files) != 3 {
			t.Errorf("got scripts %v, want three", files)
		}
		if out, err := exec.Command(path, append([]string{"-s", "sh", "-S", "style"}, files...)...).CombinedOutput(); err != nil {
			t.Errorf("shellcheck: %v\n%s", err, out)
		}
	}
	// A plan that needs no reboot must not leave an old second part beside it.
	p.Next = nil
	if err := ticket.Write(dir, p, ticket.Evidence{}); err == nil || !strings.Contains(err.Error(), "AFTER-REBOOT") {
		t.Errorf("AFTER-REBOOT of another plan: got %v, want that it is named", err)
	}
}
