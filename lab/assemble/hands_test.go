package assemble_test

import (
	"strings"
	"testing"
)

// What hands that know AIX type at a node's shell, beyond its commands.
func TestShellOfHands(t *testing.T) {
	t.Parallel()
	l := up(t, "two-systems")
	for _, c := range []struct{ node, line, want string }{
		{"lpar1", `entstat -d ent0 | grep -p "Receive Buffers" | grep -c Huge`, "1\n"},
		{"lpar1", `entstat -d ent0 | grep -ip "driver flags" | head -1`, "General Statistics:\n"},
		{"lpar1", `lsattr -El en0 | grep mtu_bypass | grep -v grep | awk '{print $2}'`, "off\n"},
		{"lpar1", `for e in $(lsdev -Cc adapter -F name); do echo $e; done`, "ent0\n"},
		{"lpar1", `errlogger "change 4711"; errpt -J OPMSG | tail -1 | awk '{print $1, $5}'`, "AA8AB241 OPERATOR\n"},
		{"lpar1", `trap; yes | head -1`, "y\n"},      // no signal is ignored
		{"lpar1", `ls /proc/self/fd | wc -l`, "4\n"}, // nor is a file of the lab's open: three, and the folder
		{"lpar1", `echo nothing | grep -p something; echo $?`, "1\n"},
		{"vios1", `/usr/ios/cli/ioscli lsmap -all -net | grep -p ent5 | grep -c ^SEA`, "1\n"},
	} {
		if got := must(t, l, c.node, c.line); got != c.want {
			t.Errorf("%s: %s: got %q, want %q", c.node, c.line, got, c.want)
		}
	}
	// The counters of a node that has booted begin at zero, in the kernel's own
	// figures, too.
	must(t, l, "lpar1", "ping -c 5 -i 0.1 10.10.10.12 >/dev/null")
	sent := func() string { return must(t, l, "lpar1", "netstat -p icmp; netstat -I lo0; errpt -d S") }
	before := sent()
	_, _, _ = run(t, l, "lpar1", "", "shutdown -Fr") // its session ends with it
	if after := sent(); !strings.Contains(after, "SYSTEM SHUTDOWN BY USER") || after == before {
		t.Errorf("after the restart: got\n%s\nwant an entry of the shutdown; before:\n%s", after, before)
	}
	if got := must(t, l, "lpar1", "netstat -p ip | grep 'sent from this host'"); !strings.HasPrefix(strings.TrimSpace(got), "0 ") {
		t.Errorf("packets sent since the boot: got %q, want none", got)
	}
}
