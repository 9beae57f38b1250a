package commands_test

import (
	"slices"
	"strings"
	"testing"

	"seaworthy/lab/node/commands"
)

// Command lines that stand in no article: what a hand trained on AIX types.
func TestCommandLinesOfHands(t *testing.T) {
	l := newLab(t, "two-systems")
	for _, c := range []struct{ who, line, want string }{
		{"lpar1", "ifconfig -a -d", ""},
		{"lpar1", "ifconfig -au", "en0: flags="},
		{"lpar1", "ifconfig -l -u", "en0 lo0\n"},
		{"lpar1", "ifconfig -a inet", "lo0: flags="},
		{"lpar1", "netstat -nr", "10.10.10/24        10.10.10.11       U "},
		{"lpar1", "netstat -rnf inet", "10.10.10.255       10.10.10.11       UHSb"},
		{"lpar1", "netstat -rn", "10.10.10.11        127.0.0.1         UGHS      -         - lo0"},
		{"lpar1", "vmstat -t 1 1", " pc    ec hr mi se\n"},
		{"lpar1", "vmstat -w 1 1", "kthr"},
		{"lpar1", "lparstat -l 1 1", "physc"},
		{"lpar1", "host lpar2", "lpar2 is 10.10.10.12\n"},
		{"lpar1", "host 10.10.10.21", "vios1 is 10.10.10.21\n"},
		{"padmin@vios1", "help", "lsmap\n"},
	} {
		if out := l.must(c.who, c.line); !strings.Contains(out, c.want) || c.want == "" && out != "" {
			t.Errorf("%s: %s: got\n%s\nwant %q in it", c.who, c.line, out, c.want)
		}
	}
	for _, c := range []struct{ who, line, want string }{
		{"lpar1", "ifconfig -d", "-a or -l"},
		{"lpar1", "ifconfig -ax", "no flag -x"},
		{"lpar1", "netstat -Aan", "not in this lab"},
		{"lpar1", "netstat -Zs", "entstat -r"},
		{"lpar1", "netstat -C", "not in this lab"},
		{"lpar1", "vmstat -s", "no memory, no pages"},
		{"lpar1", "vmstat -Z", "no flag -Z"},
		{"lpar1", "sar -P ALL 1 1", "nothing counts"},
		{"lpar1", "lparstat -E 1 1", "PURR"},
		{"lpar1", "lparstat -H", "hypervisor"},
		{"lpar1", "host nobody", "nobody does not exist"},
		{"lpar1", "lslpp -L", "oslevel -s"},
		{"lpar1", "help", "not found"},
		{"padmin@vios1", "lslpp -L", "not allowed"},
		{"padmin@vios1", "optimizenet -set arpqsize=24", "no -p -o NAME=VALUE"},
		{"padmin@vios1", "lsvg", "no disks"},
		{"lpar1", "lsvg", "no disks"},
	} {
		l.refused(c.who, c.line, c.want)
	}
	l.must("lpar1", "ifconfig en0 down")
	if out := l.must("lpar1", "ifconfig -ad"); !strings.HasPrefix(out, "en0: ") || strings.Contains(out, "lo0") {
		t.Errorf("ifconfig -ad: got\n%s\nwant en0 alone", out)
	}
	if out := l.must("lpar1", "netstat -rn"); strings.Contains(out, "UHSb") {
		t.Errorf("netstat -rn of an interface that is down: got\n%s\nwant no routes of its address", out)
	}
}

// Whatever is typed, a command answers: it neither breaks down nor says nothing
// of what it does not know.
func TestNonsense(t *testing.T) {
	l := newLab(t, "two-systems")
	aix := commands.AIX()
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(aix, commands.IOS())))) {
		if name == "reboot" || name == "errlogger" {
			continue // they take any words
		}
		for _, args := range []string{"--surely-no-flag", "-@", "-", "-a", "-l", "-d", "-dev", "-attr", "-l -a",
			"-l ent0 -a", "nonsense", "ent0 nonsense", "-l nonsense", "-dev nonsense", "1 0", "-5", "%s%n"} {
			for _, who := range []string{"lpar1", "vios1", "padmin@vios1"} {
				if who != "padmin@vios1" && !slices.Contains(aix, name) {
					continue
				}
				if out, errs, status := l.run(who, name+" "+args); status != 0 && errs == "" {
					t.Errorf("%s: %s %s: got status %d, %q and no word why", who, name, args, status, out)
				}
			}
		}
	}
}
