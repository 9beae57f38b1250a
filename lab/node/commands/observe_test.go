package commands_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/lab/node"
	"seaworthy/lab/wire"
)

// growing lets every counter grow by so many packets a reading.
func (l *lab) growing(by uint64) {
	was, n := l.Simulator.Stats, uint64(0)
	l.Simulator.Stats = func(e wire.End) (wire.Stats, error) {
		s, err := was(e)
		n += by
		s.RxPackets, s.TxPackets = s.RxPackets+n, s.TxPackets+n
		return s, err
	}
}

func TestEntstatReset(t *testing.T) {
	l := newLab(t, "two-systems")
	line := func(out, label string) string {
		for x := range strings.Lines(out) {
			if strings.HasPrefix(x, label) {
				return strings.Join(strings.Fields(x), " ")
			}
		}
		return ""
	}
	l.want("errors before", line(l.must("lpar1", "entstat ent0"), "Transmit Errors"), "Transmit Errors: 1 Receive Errors: 3")
	l.want("reset", line(l.must("lpar1", "entstat -r ent0"), "Packets:"), "Packets: 0 Packets: 0")
	l.want("after", line(l.must("lpar1", "entstat -d ent0"), "Transmit Errors"), "Transmit Errors: 0 Receive Errors: 0")
	if out := l.must("lpar1", "netstat -in"); strings.Contains(out, " 0        0     0     0\nen0") {
		t.Errorf("netstat -in has counters of its own: got\n%s", out)
	}
	// An SEA's go with those of what it stands on; ioscli has a word for it.
	l.must("padmin@vios1", "entstat -reset ent5")
	for _, dev := range []string{"ent5", "ent4", "ent0"} {
		l.want(dev, line(l.must("padmin@vios1", "entstat "+dev), "Packets:"), "Packets: 0 Packets: 0")
	}
	l.growing(10)
	if got := line(l.must("padmin@vios1", "entstat ent4"), "Packets:"); got == "Packets: 0 Packets: 0" {
		t.Errorf("packets after the reset: got %s, want more", got)
	}
	l.refused("lpar1", "entstat -r ent9", "0909-003")
	l.refused("padmin@vios1", "entstat -reset ent9", "0909-003")
}

func TestNetstatInterval(t *testing.T) {
	l := newLab(t, "two-systems")
	l.growing(5)
	out := l.must("lpar1", "netstat -I en0 1 3")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 5 || !strings.Contains(lines[0], "input    (en0)") || !strings.Contains(lines[0], "(Total)") {
		t.Fatalf("got\n%s\nwant two lines of headings and three of counters", out)
	}
	first, second := strings.Fields(lines[2]), strings.Fields(lines[3])
	// Two devices are read each time: 10 packets an interval.
	if second[0] != "10" || second[2] != "10" || first[0] == "10" {
		t.Errorf("got first %v, then %v; want totals, then 10 packets an interval", first, second)
	}
	if got := l.must("lpar1", "netstat 1 1"); !strings.Contains(got, "(en0)") {
		t.Errorf("no interface named: got\n%s\nwant the first", got)
	}
	l.refused("lpar1", "netstat -I en7 1 1", "en7: no such interface")
	l.refused("lpar1", "netstat -I en0 0", "not an interval")
	l.refused("lpar1", "netstat -I en0 1 2 3", "too many parameters")
	l.refused("lpar1", "netstat -r 1", "too many parameters")
	for _, line := range []string{"netstat -c", "netstat -ao"} {
		l.refused("lpar1", line, "not in this lab")
	}
	ends := 0
	l.Simulator.Sleep = func(context.Context, time.Duration) error {
		ends++
		if ends > 3 {
			return errors.New("interrupted")
		}
		return nil
	}
	if out, _, status := l.run("lpar1", "netstat -I en0 1"); status != 1 || strings.Count(out, "\n") != 6 {
		t.Errorf("without a count: got status %d and\n%s\nwant lines until it is interrupted", status, out)
	}
}

func TestNetstatSockets(t *testing.T) {
	l := newLab(t, "two-systems")
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	for name, text := range map[string]string{
		"tcp": head + "   0: 0B0A0A0A:A80E 0C0A0A0A:1389 01 00000010:00000020 01:00000014 00000000     0        0 5 2\n" +
			"   1: 00000000:0016 00000000:0000 0A 00000000:00000005 00:00000000 00000000     0        0 6 1\n" +
			"   2: torn line\n",
		"tcp6": head + "   0: 00000000000000000000000000000000:1389 00000000000000000000000000000000:0000 0A " +
			"00000000:00000000 00:00000000 0 0 0 7 1\n" +
			"   1: 0000000000000000FFFF00000B0A0A0A:1389 0000000000000000FFFF00000C0A0A0A:A80F 08 00000000:00000001 00:00000000 0 0 0 8 1\n",
		"udp":  head + "   0: 0B0A0A0A:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 9 2\n",
		"udp6": head,
	} {
		l.files["/proc/net/"+name] = text
	}
	title := "Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)\n"
	established := "tcp4      32     16  10.10.10.11.43022      10.10.10.12.5001       ESTABLISHED\n"
	mapped := "tcp4       1      0  10.10.10.11.5001       10.10.10.12.43023      CLOSE_WAIT\n"
	for line, want := range map[string]string{
		"netstat -n": "Active Internet connections\n" + title + established + mapped,
		"netstat -an": "Active Internet connections (including servers)\n" + title + established +
			"tcp4       0      0  *.22                   *.*                    LISTEN\n" +
			"tcp        0      0  *.5001                 *.*                    LISTEN\n" + mapped +
			"udp4       0      0  10.10.10.11.514        *.*                    \n",
		"netstat": "Active Internet connections\n" + title + strings.NewReplacer("10.10.10.11.43022",
			"lpar1.43022      ", "10.10.10.12.5001", "lpar2.5001      ").Replace(established) +
			strings.NewReplacer("10.10.10.11.5001", "lpar1.5001      ", "10.10.10.12.43023", "lpar2.43023      ").Replace(mapped),
	} {
		if diff := cmp.Diff(want, l.must("lpar1", line)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
	delete(l.files, "/proc/net/udp")
	l.refused("lpar1", "netstat -an", "udp")
}

func TestNetstatDrops(t *testing.T) {
	l := newLab(t, "two-systems")
	out := l.must("vios1", "netstat -D")
	for _, want := range []string{"Source ", "ent_dev0 ", "ent_dev4 ", "ent_dev5 ",
		"Devices Total ", "IP ", "TCP ", "UDP ", "en_if5 ", "lo_if0 ", "Net IF Total "} {
		if !strings.Contains(out, "\n"+want) && !strings.HasPrefix(out, want) {
			t.Errorf("got\n%s\nwant a line %q", out, want)
		}
	}
	// The fake kernel's snmp has no Ip.InDiscards: unknown is not a zero.
	for x := range strings.Lines(out) {
		if f := strings.Fields(x); len(f) == 5 && f[0] == "IP" && (f[1] != "1000" || f[2] != "900" || f[3] != "N/A") {
			t.Errorf("got %q, want 1000 in, 900 out and drops that nobody counts", x)
		}
	}
	if one := l.must("lpar1", "netstat -v ent0"); !strings.HasPrefix(strings.TrimLeft(one, "-\n"), "ETHERNET STATISTICS (ent0)") ||
		strings.Count(one, "ETHERNET STATISTICS") != 1 {
		t.Errorf("netstat -v ent0: got\n%s", one)
	}
	l.refused("lpar1", "netstat -v ent9", "0909-003")
}

func TestProcessorReports(t *testing.T) {
	l := newLab(t, "two-systems")
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	l.Simulator.Now = func() time.Time { return now }
	l.Simulator.Sleep = func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil }
	l.Simulator.CPU = func(string) (node.CPUTime, bool) {
		s := now.Sub(time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC))
		return node.CPUTime{User: s / 2, System: s / 4}, true
	}
	rows := func(out string) [][]string {
		var all [][]string
		for x := range strings.Lines(out) {
			all = append(all, strings.Fields(x))
		}
		return all
	}
	out := l.must("lpar1", "vmstat 2 2")
	if all := rows(out); len(all) != 8 || strings.Join(all[7][13:], " ") != "25 12 - - 0.75 37.5" {
		t.Errorf("vmstat: got\n%s\nwant 2 lines that end with 25 12 - - 0.75 37.5", out)
	}
	out = l.must("lpar1", "sar -u 1 2")
	if all := rows(out); !strings.HasSuffix(strings.TrimSpace(out), "0.75    37.5") ||
		strings.Join(all[len(all)-1], " ") != "Average 25 12 - - 0.75 37.5" {
		t.Errorf("sar: got\n%s\nwant an average of 25 12 - - 0.75 37.5", out)
	}
	l.Simulator.CPU = func(string) (node.CPUTime, bool) { return node.CPUTime{}, false }
	if out := l.must("lpar1", "vmstat 1 1"); strings.Contains(out, "0.00") {
		t.Errorf("nobody accounts the CPU: got\n%s\nwant no zero", out)
	}
	l.refused("lpar1", "vmstat 0", "number above zero")
	l.refused("lpar1", "sar", "interval is required")
	l.refused("lpar1", "mpstat", "not in this lab")
	l.refused("lpar1", "iptrace -a x", "tcpdump")
	l.refused("padmin@vios1", "vmstat 1 1", "not allowed")
}

// followed is an accountant that remembers whom it follows.
type followed struct{ calls [][]node.Accounted }

func (f *followed) Follow(want []node.Accounted) error { f.calls = append(f.calls, want); return nil }
func (f *followed) Read(string, string) ([]node.ClientCount, error) {
	return nil, nil
}

func TestSeastatClear(t *testing.T) {
	l := newLab(t, "two-systems")
	f := &followed{}
	l.Simulator.Accounting = f
	l.refused("padmin@vios1", "seastat -d ent5 -c", "accounting is disabled")
	for _, host := range []string{"vios1", "vios2"} {
		l.must("padmin@"+host, "chdev -dev ent5 -attr accounting=enabled")
	}
	f.calls = nil
	l.want("output", l.must("padmin@vios1", "seastat -d ent5 -c"), "")
	if len(f.calls) != 2 || len(f.calls[0]) != 1 || f.calls[0][0].Node != "vios2" || len(f.calls[1]) != 2 {
		t.Errorf("got followed %+v, want vios2 only, then both", f.calls)
	}
	l.refused("padmin@vios1", "seastat -d ent5 -s colour=red", "not a filter")
	l.must("padmin@vios1", "seastat -d ent5 -s vlan=1")
}

func TestTunableHelp(t *testing.T) {
	l := newLab(t, "two-systems")
	if out := l.must("lpar1", "no -h sb_max"); !strings.Contains(out, "Help for tunable sb_max:") || !strings.Contains(out, "1048576") {
		t.Errorf("no -h sb_max: got %q, want its name and default", out)
	}
	l.refused("lpar1", "no -h nosuch", "no tunable nosuch")
}
