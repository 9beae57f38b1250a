package assemble_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/test/await"
	"seaworthy/lab"
	"seaworthy/lab/assemble"
	"seaworthy/lab/fault"
)

func breakIt(t *testing.T, l *lab.Lab, f fault.Fault) assemble.Faults {
	t.Helper()
	var a assemble.Faults
	if err := l.Query(t.Context(), "break", f, &a); err != nil {
		t.Fatalf("break %s: %v", f, err)
	}
	return a
}

func mend(t *testing.T, l *lab.Lab, f fault.Fault) assemble.Faults {
	t.Helper()
	var a assemble.Faults
	if err := l.Query(t.Context(), "mend", f, &a); err != nil {
		t.Fatalf("mend %s: %v", f, err)
	}
	return a
}

// state returns what entstat says of an SEA in its pair.
func state(t *testing.T, l *lab.Lab, node string) string {
	t.Helper()
	out, errs, exit := run(t, l, node, "root", "entstat -d ent5")
	if exit != 0 {
		t.Fatalf("%s: entstat -d ent5: exit %d, %s", node, exit, errs)
	}
	var words []string
	for _, m := range regexp.MustCompile(`(?m)^ +(?:State|Bridge Mode|Priority: \d+ +Active): (.*)$`).FindAllStringSubmatch(out, -1) {
		words = append(words, m[1])
	}
	return strings.Join(words, " ")
}

func wantState(t *testing.T, l *lab.Lab, node, want string) {
	t.Helper()
	if got := state(t, l, node); got != want {
		t.Errorf("%s ent5: got %q, want %q", node, got, want)
	}
}

var received = regexp.MustCompile(`(\d+) packets transmitted, (\d+) (?:packets )?received`)

// ping gives how many of the pings did not come back.
func ping(t *testing.T, l *lab.Lab, from, to, args string) int {
	t.Helper()
	out, errs, _ := run(t, l, from, "", "ping "+args+" "+to)
	m := received.FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("%s: ping %s: %s%s", from, to, out, errs)
	}
	sent, _ := strconv.Atoi(m[1])
	back, _ := strconv.Atoi(m[2])
	return sent - back
}

// twice are the flags of a pair of pings, one tenth of a second apart: what comes back
// may take its time, what is lost need not be waited for.
func twice(lost int) string {
	if lost > 0 {
		return "-c 2 -i 0.1 -w 1 "
	}
	return "-c 2 -i 0.1 -w 10 "
}

// A VIOS crashes under traffic: the other takes over within a second, and
// gives back when the first has booted, with its next-boot values.
func TestFailover(t *testing.T) {
	t.Parallel()
	l := up(t, "dual-vios")
	wantState(t, l, "vios1a", "PRIMARY All True")
	wantState(t, l, "vios1b", "BACKUP None False")
	if n := ping(t, l, "lpar1", "10.10.10.12", twice(0)); n != 0 {
		t.Fatalf("before: %d pings lost", n)
	}
	run(t, l, "vios1a", "root", "chdev -l ent0 -a large_receive=no -P")
	lost := make(chan int)
	// underWay starts pings, and returns when some have passed.
	underWay := func() {
		t.Helper()
		before := sent(t, l, "lpar1", "ent0")
		go func() { lost <- ping(t, l, "lpar1", "10.10.10.12", "-c 30 -i 0.1") }()
		await.Until(t, "pings are under way", func() bool { return sent(t, l, "lpar1", "ent0") >= before+5 })
	}
	underWay()
	a := breakIt(t, l, fault.Fault{Kind: "crash", Target: "vios1a"})
	if len(a.Warnings) > 0 || len(a.Broken) != 1 {
		t.Errorf("got warnings %v, broken %v", a.Warnings, a.Broken)
	}
	n := <-lost
	t.Logf("lost at failover: %d pings, one every 0.1 s", n)
	if n > 10 {
		t.Errorf("%d of 30 pings lost at failover, want at most 10: one second", n)
	}
	wantState(t, l, "vios1b", "PRIMARY All True")
	if _, errs, exit := run(t, l, "vios1a", "root", "true"); exit == 0 || !strings.Contains(errs, "vios1a is down") {
		t.Errorf("a login on the crashed VIOS: got exit %d, %q, want a refusal", exit, errs)
	}
	underWay()
	mend(t, l, fault.Fault{Target: "vios1a"})
	n = <-lost
	t.Logf("lost at fail-back: %d pings", n)
	if n > 10 {
		t.Errorf("%d of 30 pings lost at fail-back, want at most 10", n)
	}
	wantState(t, l, "vios1a", "PRIMARY All True")
	wantState(t, l, "vios1b", "BACKUP None False")
	if out, _, _ := run(t, l, "vios1a", "root", "lsattr -Pl ent0 -a large_receive -F value"); strings.TrimSpace(out) != "no" {
		t.Errorf("after the boot large_receive runs as %q, want no", out)
	}
	out, _, _ := run(t, l, "vios1b", "root", "entstat -d ent5")
	for _, want := range []string{"Number of Times Server became Backup: 2", "Number of Times Server became Primary: 1",
		"High Availability Mode: Auto", "Priority: 2", "Control Channel PVID: 99"} {
		if !strings.Contains(out, want) {
			t.Errorf("vios1b: %q is not in\n%s", want, out)
		}
	}
	// By hand: standby gives the VLANs away. And the link of the port counts.
	run(t, l, "vios1a", "padmin", "chdev -dev ent5 -attr ha_mode=standby")
	wantState(t, l, "vios1a", "BACKUP None False")
	wantState(t, l, "vios1b", "PRIMARY All True")
	breakIt(t, l, fault.Fault{Kind: "port-down", Target: "vios1b:ent0"})
	wantState(t, l, "vios1b", "LIMBO None False")
	wantState(t, l, "vios1a", "PRIMARY All True")
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 3 -i 0.1"); n != 0 {
		t.Errorf("by the standby: %d pings lost", n)
	}
	if out, _, _ := run(t, l, "vios1b", "root", "entstat -d ent0"); !strings.Contains(out, "Link Status: Down") {
		t.Errorf("entstat of a port without a cable: got\n%s", out)
	}
	// One that takes nothing back by itself.
	mend(t, l, fault.Fault{Target: "vios1b"})
	run(t, l, "vios1a", "padmin", "chdev -dev ent5 -attr ha_mode=auto noauto_failback=yes")
	wantState(t, l, "vios1b", "PRIMARY All True")
	breakIt(t, l, fault.Fault{Kind: "port-down", Target: "vios1b:ent0"})
	wantState(t, l, "vios1a", "PRIMARY All True")
	breakIt(t, l, fault.Fault{Kind: "crash", Target: "vios1a"})
	mend(t, l, fault.Fault{Target: "vios1b"})
	mend(t, l, fault.Fault{Target: "vios1a"})
	wantState(t, l, "vios1a", "BACKUP None False")
	wantState(t, l, "vios1b", "PRIMARY All True")
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 3 -i 0.1"); n != 0 {
		t.Errorf("while the first one waits: %d pings lost", n)
	}
}

// Two VLANs, one at each VIOS; and the guard when they lose sight of each other.
func TestSharing(t *testing.T) {
	t.Parallel()
	l := up(t, "dual-vios")
	wantState(t, l, "vios2a", "PRIMARY_SH Partial True False")
	wantState(t, l, "vios2b", "BACKUP_SH Partial False True")
	for _, to := range []string{"10.10.10.12", "10.10.10.13"} {
		if n := ping(t, l, "lpar1", to, "-c 3 -i 0.1"); n != 0 {
			t.Errorf("%s: %d of 3 pings lost", to, n)
		}
	}
	a := breakIt(t, l, fault.Fault{Kind: "control-channel", Target: "cec2"})
	if len(a.Warnings) != 2 || !strings.Contains(a.Warnings[0], "loop guard: vios2a ent5 and vios2b ent5 both bridge VLAN 1") {
		t.Errorf("got warnings %q, want one for each VLAN", a.Warnings)
	}
	wantState(t, l, "vios2a", "PRIMARY All True True")
	wantState(t, l, "vios2b", "PRIMARY All False False")
	for _, to := range []string{"10.10.10.12", "10.10.10.13"} {
		if n := ping(t, l, "lpar1", to, "-c 3 -i 0.1"); n != 0 {
			t.Errorf("%s behind the guard: %d of 3 pings lost", to, n)
		}
	}
	mend(t, l, fault.Fault{})
	wantState(t, l, "vios2b", "BACKUP_SH Partial False True")
	// Misconfigured by hand: the guard says so where it was done.
	_, errs, exit := run(t, l, "vios2b", "padmin", "chdev -dev ent5 -attr ha_mode=disabled")
	if exit != 0 || !strings.Contains(errs, "loop guard") {
		t.Errorf("ha_mode=disabled on one: got exit %d, %q, want the guard's words", exit, errs)
	}
	if n := ping(t, l, "lpar1", "10.10.10.13", "-c 3 -i 0.1"); n != 0 {
		t.Errorf("behind the guard: %d of 3 pings lost", n)
	}
}
