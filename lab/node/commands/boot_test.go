package commands_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/lab/effect"
	"seaworthy/lab/wire"
)

// What a node counted before its boot is nobody's after it.
func TestCountersBeginAtZero(t *testing.T) {
	for _, boot := range []struct {
		name string
		do   func(l *lab)
	}{
		{"shutdown -Fr", func(l *lab) { l.must("lpar1", "shutdown -Fr") }},
		{"reboot", func(l *lab) { l.must("lpar1", "reboot") }},
		{"crash", func(l *lab) {
			crashed := func(on int64) {
				t.Helper()
				if _, err := l.Break(t.Context(), effect.Fault{Kind: effect.Crash, At: [2]string{"lpar1"}}, on); err != nil {
					t.Fatal(err)
				}
			}
			crashed(1)
			if err := l.Boot(t.Context(), "lpar1"); err != nil {
				t.Fatal(err)
			}
			crashed(0)
		}},
	} {
		t.Run(boot.name, func(t *testing.T) {
			l := newLab(t, "two-systems")
			first := func(command, label string) string {
				t.Helper()
				for x := range strings.Lines(l.must("lpar1", command)) {
					if strings.Contains(x, label) {
						return strings.Join(strings.Fields(x), " ")
					}
				}
				t.Fatalf("%s: no line with %q", command, label)
				return ""
			}
			var forgot []string
			l.ResetLargeSend = func(node string) error { forgot = append(forgot, node); return nil }
			l.want("sent before", first("netstat -p tcp", "packets sent"), "46017 packets sent")
			boot.do(l)
			l.want("entstat", first("entstat -d ent0", "Packets:"), "Packets: 0 Packets: 0")
			l.want("errors", first("entstat ent0", "Transmit Errors"), "Transmit Errors: 0 Receive Errors: 0")
			l.want("netstat -in", first("netstat -in", "10.10.10.11"), "en0 1500 10.10.10 10.10.10.11 0 0 0 0 0")
			l.want("netstat -D", first("netstat -D", "ent_dev0"), "ent_dev0 0 0 0 0")
			l.want("netstat -p tcp", first("netstat -p tcp", "packets sent"), "0 packets sent")
			l.want("large sends", strings.Join(forgot, " "), "lpar1")
			l.files["/proc/net/snmp"] = strings.Replace(snmp, "46000", "46021", 1)
			l.want("what came since", first("netstat -p tcp", "packets sent"), "21 packets sent")
			was := l.Simulator.Stats
			l.Simulator.Stats = func(e wire.End) (wire.Stats, error) {
				s, err := was(e)
				s.RxPackets += 5
				return s, err
			}
			l.want("what came since", first("entstat ent0", "Packets:"), "Packets: 0 Packets: 5")
			if out := l.must("lpar2", "entstat ent0"); strings.Contains(out, "Packets: 0 ") {
				t.Errorf("lpar2 did not boot: got\n%s", out)
			}
		})
	}
}

// A boot lasts: the partner takes over meanwhile.
func TestBootFailsOver(t *testing.T) {
	l := newLab(t, "dual-vios")
	l.must("padmin@vios1a", "shutdown -force -restart")
	ids := func(who, command string) []string {
		var out []string
		for x := range strings.Lines(l.must(who, command)) {
			if f := strings.Fields(x); f[0] != "IDENTIFIER" {
				out = append(out, f[0])
			}
		}
		return out
	}
	if diff := cmp.Diff([]string{"E136EAFA", "E48A73A4"}, ids("vios1b", "errpt")); diff != "" {
		t.Errorf("errpt of the partner: got +, want -:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"E48A73A4", "9DBCFDEE", "2BFA76F6", "192AC071"}, ids("padmin@vios1a", "errlog")); diff != "" {
		t.Errorf("errlog: got +, want -:\n%s", diff)
	}
	out := l.must("vios1a", "entstat -d ent5")
	for _, want := range []string{"State: PRIMARY\n", "became Backup: 0\n", "became Primary: 1\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("entstat -d ent5 after the boot: no %q in\n%s", want, out)
		}
	}
}

// Next-boot values that the kernel refuses leave the node up with its own.
func TestBootRefused(t *testing.T) {
	l := newLab(t, "two-systems")
	l.must("lpar1", "chdev -l en0 -a mtu_bypass=on -P")
	if err := l.Boot(t.Context(), "nobody"); err == nil {
		t.Error("boot of a node that there is not: got no error, want one")
	}
	apply := l.Simulator.Apply
	calls := 0
	l.Simulator.Apply = func(ctx ctx, st wire.State) error {
		calls++
		if calls == 2 { // down; the new values
			return errRefused
		}
		return apply(ctx, st)
	}
	l.refused("lpar1", "shutdown -Fr", "refused by the kernel")
	l.want("up", l.end("lpar1", "en0").Up, true)
	l.want("running", l.value("lpar1", "en0", "mtu_bypass"), "on")
	l.want("kernel", l.end("lpar1", "en0").TSO, false)
}
