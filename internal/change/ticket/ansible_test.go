package ticket_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/ticket"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/draw"
)

// tunables is a plan for one sysctl of a host.
func tunables(t *testing.T, host string) *plan.Plan {
	t.Helper()
	unset, size := "", "212992"
	p, err := plan.Build(&model.Fleet{Hosts: []*model.Host{{Name: host, Platform: model.Linux, User: "root",
		Persistence: &model.Persistence{By: "sysctl.d"},
		Tunables:    map[string]*model.Attr{"net.core.rmem_max": {Running: &size, NextBoot: &unset}},
	}}}, anything{}, []plan.DesiredSetting{{Setting: finding.Setting{Ref: model.Ref{Host: host, Element: "sysctl"},
		Attr: "net.core.rmem_max", Value: "4194304"}}})
	if err != nil || len(p.Refused) > 0 || len(p.Steps) != 1 {
		t.Fatalf("got %v, refused %v, %d steps; want one", err, p.Refused, len(p.Steps))
	}
	return p
}

// A playbook does by Ansible what the scripts do: it changes nothing in a dry run,
// something once, and takes it back to the byte.
func TestPlaybook(t *testing.T) {
	draw.Rarely(t, 10)
	program, err := exec.LookPath("ansible-playbook")
	if err != nil {
		t.Skip("ansible-playbook is not installed")
	}
	text, err := ticket.Playbook(tunables(t, "linux1"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, []string{"sh"})
	root := t.TempDir()
	dir := filepath.Join(root, "etc/sysctl.d")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	b.put(map[string]string{"sysctl.net.core.rmem_max": "212992"})
	at := filepath.Join(t.TempDir(), "play.yml")
	if err := os.WriteFile(at, []byte(strings.ReplaceAll(string(text), "/etc/", root+"/etc/")), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(want string, ok bool, args ...string) {
		t.Helper()
		c := exec.Command(program, append([]string{"-i", "linux1,", "-c", "local", at}, args...)...)
		c.Env = append(os.Environ(), "PATH="+b.tools+":"+os.Getenv("PATH"), "DB="+b.db, "ANSIBLE_NOCOLOR=1", "HOME="+t.TempDir())
		out, err := c.CombinedOutput()
		if (err == nil) != ok || !strings.Contains(string(out), want) {
			t.Fatalf("%v: got %v\n%s\nwant success %v and %q", args, err, out, ok, want)
		}
	}
	set := func(want string) {
		t.Helper()
		if got := files(t, root)["etc/sysctl.d/60-seaworthy.conf"]; got != want {
			t.Fatalf("60-seaworthy.conf: got %q, want %q", got, want)
		}
	}
	run("", true, "--syntax-check")
	run("changed=1 ", true, "--check")
	set("")
	run("changed=1 ", true)
	set("net.core.rmem_max = 4194304\n")
	run("changed=0 ", true)
	run("changed=1 ", true, "--tags", "backout")
	set("")
	b.put(map[string]string{"sysctl.net.core.rmem_max": "999"})
	run("nothing was done", false)
	set("")
}

// Names that are patterns to Ansible, and reboots in the middle, are refused; people's
// work is waited for.
func TestPlaybookRefuses(t *testing.T) {
	for _, host := range []string{"all", "a:b", "a*", "~web", "a,b", "{{ x }}"} {
		if _, err := ticket.Playbook(tunables(t, host)); err == nil || !strings.Contains(err.Error(), "more than one host") {
			t.Errorf("%s: got %v, want it refused", host, err)
		}
	}
	p := tunables(t, "linux1")
	p.Next = tunables(t, "linux1")
	if _, err := ticket.Playbook(p); err == nil || !strings.Contains(err.Error(), "reboot") {
		t.Errorf("a plan that goes on after a reboot: got %v", err)
	}
	p = tunables(t, "linux1")
	p.Steps = append([]plan.Step{{Manual: &plan.ManualStep{Owner: "network team", What: "jumbo {{ frames }}", MTU: 9000}}}, p.Steps...)
	text, err := ticket.Playbook(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"seaworthy_done_1 | default(false) | bool", "network team: jumbo (( frames ))", "step_2: !unsafe |"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("got\n%s\nwant %q", text, want)
		}
	}
}
