package guest_test

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/test/needs"
)

//go:embed testdata/plant.pl
var plantScript string

// plant is one wrong setting or one fault, made on a running host by its own commands.
// {a|b|c} in them is drawn by the seed; $P is the port that is joined to the lab.
type plant struct {
	kind     string
	do, undo string
	rule, at string
	facts    []string // for audit --fact, of the host
	only     string   // kinds of guests that can have it; empty: all
}

const (
	// A second host behind a cable: a network namespace of the host's.
	far = `(unshare -n sleep 600 >/dev/null 2>&1 & echo $! >/run/far)
in_far() { nsenter -t $(cat /run/far) -n "$@"; }
until [ "$(in_far readlink /proc/self/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
ip link add near type veth peer name far0; ip link set far0 netns $(cat /run/far); ip addr add 10.77.0.1/24 dev near; ip link set near up
in_far ip addr add 10.77.0.2/24 dev far0; in_far ip link set far0 up; in_far ip link set lo up
bulk() { perl /run/plant.pl sink 5001 & in_far perl /run/plant.pl send 10.77.0.1 5001 $1; wait; }
`
	noFar = "ip link del near; kill $(cat /run/far)"
	// A bond of two cables whose ends are in the same host.
	bond = `modprobe bonding max_bonds=0; for i in 1 2; do ip link add slave$i type veth peer name cable$i; ip link set cable$i up; done
bond() { ip link add bond7 type bond "$@"; for i in 1 2; do ip link set slave$i master bond7; done
ip link set bond7 up; ip addr add 10.78.0.1/24 dev bond7; }
`
	noBond  = "ip link del bond7; ip link del slave1; ip link del slave2"
	latency = "latency_critical=1"
)

func set(name, values, rule string, facts ...string) plant {
	return plant{kind: name + " " + values, rule: rule, at: "sysctl", facts: facts,
		do:   fmt.Sprintf("sysctl -qn %s >/run/was; sysctl -qw %s='%s'", name, name, values),
		undo: fmt.Sprintf(`sysctl -qw %s="$(cat /run/was)"`, name)}
}

func off(feature, rule string) plant {
	return plant{kind: feature + " off", rule: rule, at: "$P", do: "ethtool -K $P " + feature + " off", undo: "ethtool -K $P " + feature + " on"}
}

// on limits a plant to kinds of guests.
func on(kinds string, p plant) plant {
	p.only = kinds
	return p
}

func bonded(kind, options, more, rule string) plant {
	return plant{kind: kind, rule: rule, at: "bond7", only: "server pseries", do: bond + "bond " + options + more, undo: noBond}
}

// fault is one that packets from far make.
func fault(kind, do, rule, at string) plant {
	return plant{kind: kind, rule: rule, at: at, only: "server pseries", do: far + do, undo: noFar}
}

var plants = []plant{
	on("server server1", off("tso", "R110")), on("server pseries", off("gro", "R110")), on("server server1", off("tx", "R110")),
	on("server server1", off("sg", "R110")),
	on("server", off("gso", "R148")), on("server", off("rx", "R147")),
	{kind: "half duplex", rule: "R149", at: "ens5", only: "server",
		do:   "ip addr add 10.76.0.1/24 dev ens5; ip link set ens5 up; ethtool -s ens5 autoneg on advertise 0x004; until ethtool ens5 | grep -q 'Duplex: Half'; do sleep 0.2; done",
		undo: "ethtool -s ens5 autoneg on advertise 0x00f; ip addr flush dev ens5; ip link set ens5 down"},
	{kind: "a port of 100 Mbit/s", rule: "R150", at: "ens5", only: "server",
		do: "ip addr add 10.76.0.1/24 dev ens5; ip link set ens5 up", undo: "ip addr flush dev ens5; ip link set ens5 down"},
	{kind: "short transmit queue", only: "server pseries", rule: "R151", at: "$P", do: "ip link set $P txqueuelen {2|50|200}", undo: "ip link set $P txqueuelen 1000"},
	{kind: "late interrupts", rule: "R168", at: "$P", only: "server", facts: []string{latency},
		do: "ethtool -C $P rx-usecs {80|200|1000}", undo: "ethtool -C $P rx-usecs 3"},
	{kind: "a timer instead of interrupts", rule: "R168", at: "$P", facts: []string{latency},
		do:   "cd /sys/class/net/$P; echo {60000|200000|1000000} > gro_flush_timeout; echo {1|2|50} > napi_defer_hard_irqs",
		undo: "cd /sys/class/net/$P; echo 0 > gro_flush_timeout; echo 0 > napi_defer_hard_irqs"},
	{kind: "LRO on a router", rule: "R146", at: "ens6", only: "server",
		do:   "ip addr add 10.75.0.1/24 dev ens6; ip link set ens6 up; sysctl -qw net.ipv4.ip_forward=1; ethtool -K ens6 lro on",
		undo: "sysctl -qw net.ipv4.ip_forward=0; ip addr flush dev ens6; ip link set ens6 down"},
	{kind: "a link that comes and goes", rule: "R153", at: "$P", only: "server",
		do:   "for i in 1 2 3; do n=$(cat /sys/class/net/$P/carrier_changes); ethtool -r $P; until [ $(cat /sys/class/net/$P/carrier_changes) -ge $((n+2)) ]; do sleep 0.2; done; done",
		undo: "true"},
	{kind: "the queue of a port drops", only: "server pseries", rule: "R187", at: "$P",
		do:   "tc qdisc replace dev $P root tbf rate 64kbit burst 2000 limit 3000; ping -q -i 0.002 -c 300 -s 1400 $R >/dev/null || true",
		undo: "tc qdisc del dev $P root"},
	{kind: "jumbo frames without MTU probing", only: "server pseries", rule: "R136", at: "$P", do: "ip link set $P mtu {4000|9000}", undo: "ip link set $P mtu 1500"},
	{kind: "an MTU that the next boot changes", only: "server pseries", rule: "R081", at: "$P",
		do:   "cp /etc/network/interfaces /run/was; printf '\\tmtu {1300|1400|9000}\\n' >>/etc/network/interfaces",
		undo: "cat /run/was >/etc/network/interfaces"},
	{kind: "a sysctl that the next boot changes", only: "server pseries", rule: "R081", at: "sysctl",
		do:   "echo '{net.core.somaxconn=128|net.ipv4.tcp_rmem = 4096 87380 16777216|net/core/wmem_max=425984}' >/etc/sysctl.d/90-site.conf",
		undo: "rm /etc/sysctl.d/90-site.conf"},
	{kind: "a bridge's port with a smaller MTU", rule: "R162", at: "br7",
		do: "ip link add near type veth peer name far0; ip link add br7 type bridge; ip link set near master br7; ip link set near up; ip link set far0 up; " +
			"ip link set br7 up mtu {1600|9000}; ip addr add 10.78.0.1/24 dev br7", undo: "ip link del br7; ip link del near"},
	{kind: "a tunnel that does not fit", rule: "R200", at: "vx7",
		do:   "ip link add vx7 type vxlan id 7 local $A remote $R dstport 4789; ip link set vx7 mtu {1500|1480} up; ip addr add 10.78.0.1/24 dev vx7",
		undo: "ip link del vx7"},
	{kind: "a tap device without segmentation", only: "server pseries", rule: "R201", at: "tap7",
		do: "modprobe tun; perl /run/plant.pl tap tap7 >/dev/null 2>&1 & echo $! >/run/was; until ip link set tap7 up 2>/dev/null; do sleep 0.1; done; " +
			"ip addr add 10.78.0.1/24 dev tap7; until ethtool -K tap7 tso off && ethtool -k tap7 | grep -q 'tcp-segmentation-offload: off'; do sleep 0.1; done",
		undo: "kill $(cat /run/was)"},
	bonded("links unwatched", "mode active-backup miimon 0", "", "R157"),
	bonded("no LACP partner", "mode 802.3ad miimon 100 xmit_hash_policy layer3+4", "", "R158"),
	bonded("a port outside the aggregation", "mode 802.3ad miimon 100 xmit_hash_policy layer3+4", "", "R159"),
	bonded("round robin", "mode balance-rr miimon 100", "", "R161"),
	bonded("hash by MAC", "mode 802.3ad miimon 100 xmit_hash_policy layer2", "", "R114"),
	bonded("on the backup", "mode active-backup miimon 100 primary slave1 primary_reselect failure",
		"; ip link set cable1 down; until grep -q slave2 /sys/class/net/bond7/bonding/active_slave; do sleep 0.1; done; ip link set cable1 up", "R160"),
	set("net.ipv4.tcp_window_scaling", "0", "R131"), set("net.ipv4.tcp_sack", "0", "R132"), set("net.ipv4.tcp_timestamps", "0", "R133"),
	set("net.ipv4.tcp_moderate_rcvbuf", "0", "R134"),
	set("net.ipv4.tcp_rmem", "{4096 8388608 6291456|262144 131072 6291456}", "R135"),
	set("net.ipv4.tcp_wmem", "{4096 8388608 4194304|4096 4194305 4194304}", "R135"),
	{kind: "BBR without fq", only: "server pseries", rule: "R137", at: "sysctl", do: "modprobe tcp_bbr; sysctl -qw net.ipv4.tcp_congestion_control=bbr",
		undo: "sysctl -qw net.ipv4.tcp_congestion_control=cubic"},
	on("server", set("net.ipv4.tcp_rmem", "{4096 131072 1048576|4096 87380 2097152}", "R113", "rtt_ms=10")),
	on("server", set("net.ipv4.tcp_wmem", "{4096 16384 262144|4096 16384 1048576}", "R113", "rtt_ms=10")),
	on("server", set("net.core.rmem_max", "{32768|65536|131072}", "R138", "rtt_ms=1.5")),
	{kind: "listen queue", rule: "R139", at: "host", do: "perl /run/plant.pl listen {30|100|300}", undo: "true"},
	{kind: "receive queues pruned", rule: "R140", at: "host", do: "perl /run/plant.pl prune {20|60}", undo: "true"},
	{kind: "TCP memory", only: "server pseries", rule: "R141", at: "host",
		do: "sysctl -qn net.ipv4.tcp_mem >/run/was; sysctl -qw net.ipv4.tcp_mem='2 4 {20000|80000}'; " +
			"perl /run/plant.pl sink 5001 1 & perl /run/plant.pl send 127.0.0.1 5001 8000; wait",
		undo: `sysctl -qw net.ipv4.tcp_mem="$(cat /run/was)"`},
	{kind: "UDP sockets full", rule: "R142", at: "host", do: "perl /run/plant.pl udp {50|200|2000}", undo: "true"},
	fault("fragments lost", "sysctl -qw net.ipv4.ipfrag_time=1; in_far tc qdisc add dev far0 root netem loss {20|40}%; "+
		"in_far ping -q -i 0.01 -c 60 -s 8000 10.77.0.1 >/dev/null; sleep 2; sysctl -qw net.ipv4.ipfrag_time=30", "R143", "host"),
	fault("half-open connections", "ip neigh replace 10.77.0.2 lladdr 02:00:00:00:00:99 dev near; perl /run/plant.pl hold 5004 & "+
		"until ss -lnt | grep -q :5004; do sleep 0.1; done; in_far perl /run/plant.pl begin 10.77.0.1 5004 {100|300}; wait", "R144", "host"),
	fault("retransmissions", "tc qdisc add dev near root netem loss {3|10}%; perl /run/plant.pl send 10.77.0.2 5001 {4000|8000} & in_far perl /run/plant.pl sink 5001; wait",
		"R124", "host"),
	fault("out of order", "in_far tc qdisc add dev far0 root netem delay 3ms reorder {10|30}% 50%; bulk {4000|8000}", "R126", "host"),
	{kind: "receive backlog", only: "server pseries", rule: "R163", at: "host", undo: noFar + "; sysctl -qw net.core.netdev_max_backlog=1000",
		do: far + "in_far ethtool -K far0 tso off gso off >/dev/null; sysctl -qw net.core.netdev_max_backlog=1; bulk {4000|8000}"},
	{kind: "squeezed turns", only: "server pseries", rule: "R164", at: "host", undo: noFar + "; sysctl -qw net.core.netdev_budget=300",
		do: far + "in_far ethtool -K far0 tso off gso off >/dev/null; sysctl -qw net.core.netdev_budget={1|2}; bulk {20000|40000}"},
	{kind: "neighbour table", only: "server pseries", rule: "R179", at: "host",
		do: "sysctl -qw net.ipv4.neigh.default.gc_thresh1=1 net.ipv4.neigh.default.gc_thresh2=2 net.ipv4.neigh.default.gc_thresh3=4; " +
			"for i in $(seq 100 {120|150}); do ping -q -c 1 -W 1 10.10.10.$i >/dev/null & done; wait",
		undo: "sysctl -qw net.ipv4.neigh.default.gc_thresh3=1024 net.ipv4.neigh.default.gc_thresh2=512 net.ipv4.neigh.default.gc_thresh1=128; ip neigh flush all"},
	{kind: "connection table", only: "server pseries", rule: "R165", at: "sysctl",
		do: "modprobe nf_conntrack enable_hooks=1; sysctl -qw net.netfilter.nf_conntrack_max=20; " +
			"for i in $(seq {17|19}); do perl -MSocket -e 'socket(S, PF_INET, SOCK_DGRAM, 0); send(S, q(x), 0, sockaddr_in(9, inet_aton(q($R))))'; done",
		undo: "rmmod nf_conntrack 2>/dev/null || sysctl -qw net.netfilter.nf_conntrack_max=65536"},
	on("pseries", plant{kind: "pools of ibmveth empty", rule: "R111", at: "$P",
		do: "ip addr show dev $P >/dev/null; for p in /sys/bus/vio/devices/*/pool*; do echo {2|4} >$p/num 2>/dev/null; done; " +
			"ping -q -i 0.002 -c 400 -s 1400 $R >/dev/null || true",
		undo: "true"}),
}

var alternatives = regexp.MustCompile(`\{([^{}]*\|[^{}]*)\}`)

// machine is a running host.
type machine struct {
	name, port, address, peer string
	dir, bin                  string
	reach                     []string // seaworthy's arguments
	try                       func(script string) (string, error)
}

// drawn is a text with its alternatives chosen by a seed.
func (m machine) drawn(text string, r *rand.Rand) string {
	text = alternatives.ReplaceAllStringFunc(text, func(m string) string {
		of := strings.Split(strings.Trim(m, "{}"), "|")
		return of[r.IntN(len(of))]
	})
	return strings.NewReplacer("$P", m.port, "$A", m.address, "$R", m.peer).Replace(text)
}

// What is set wrong on a running host, or goes wrong there, is found at its element; the host
// as it was installed has no finding, before and after.
func TestPlantedMisSettings(t *testing.T) {
	for _, kind := range []string{"server", "pseries"} {
		t.Run(kind, func(t *testing.T) {
			h := boot(t, kind)
			if err := os.Mkdir(filepath.Join(h.dir, "run"), 0o700); err != nil {
				t.Fatal(err)
			}
			planted(t, machine{kind, h.guest.Kind.Interface, "10.10.10.50", "10.10.10.11", h.dir, h.bin, []string{kind, "-F", h.guest.SSHConfig()},
				func(script string) (string, error) {
					c := exec.CommandContext(t.Context(), "ssh", "-F", h.guest.SSHConfig(), kind, "sh -s")
					c.Stdin = strings.NewReader(script)
					out, err := c.CombinedOutput()
					return string(out), err
				}})
		})
	}
}

// The same on a lab's Linux node, whose kernel is this machine's.
func TestPlantedMisSettingsInLab(t *testing.T) {
	if os.Getenv("SEAWORTHY_GUESTS") == "" || os.Geteuid() != 0 {
		t.Skip("takes minutes: make test-guests, as root")
	}
	dir := t.TempDir()
	if err := needs.Programs(dir, "seaworthy", "seaworthy-lab"); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "run")
	if err := os.Mkdir(run, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", run)
	bin := filepath.Join(dir, "seaworthy")
	up := exec.CommandContext(t.Context(), bin, "lab", "up", "linux-peer")
	said, err := up.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := up.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(up.Process.Signal(os.Interrupt), up.Wait()); err != nil {
			t.Error(err)
		}
	})
	for lines := bufio.NewScanner(said); lines.Scan() && !strings.Contains(lines.Text(), "lab down"); {
	}
	planted(t, machine{"server1", "eth0", "10.10.20.31", "10.10.20.11", dir, bin, []string{"server1", "-i", "lab"},
		func(script string) (string, error) {
			out, err := exec.CommandContext(t.Context(), bin, "lab", "exec", "-u", "root", "server1", "--", script).CombinedOutput()
			return string(out), err
		}})
}

func planted(t *testing.T, m machine) {
	if out, err := m.try("cat >/run/plant.pl <<'END'\n" + plantScript + "END\n"); err != nil {
		t.Fatalf("plant.pl: %v: %s", err, out)
	}
	since := m.snapshot(t, "stock")
	if got := m.audit(t, m.reach, "--since", since); len(got) > 0 {
		t.Errorf("as installed: got %v, want no finding", got)
	}
	seed, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	right, all := 0, 0
	for _, p := range plants {
		if p.only != "" && !slices.Contains(strings.Fields(p.only), m.name) || !strings.Contains(p.kind, os.Getenv("PLANT")) {
			continue
		}
		sum := fnv.New64a()
		sum.Write([]byte(p.kind))
		r := rand.New(rand.NewPCG(seed, sum.Sum64()))
		var facts []string
		for _, f := range p.facts {
			facts = append(facts, "--fact", m.name+" "+f)
		}
		do, undo, want := m.drawn(p.do, r), m.drawn(p.undo, r), p.rule+" "+m.drawn(p.at, r)
		since := m.snapshot(t, "before")
		if len(facts) > 0 && slices.Contains(m.audit(t, []string{since}, facts...), want) {
			t.Errorf("%s: %s before anything was planted", p.kind, want)
		}
		all++
		if out, err := m.try("set -e\n" + do + m.drawn("\nuntil [ $(cat /sys/class/net/$P/carrier) = 1 ]; do sleep 0.1; done", r)); err != nil {
			t.Errorf("%s: not planted: %v: %s", p.kind, err, out)
		}
		got := m.audit(t, m.reach, append(facts, "--since", since)...)
		if out, err := m.try(undo); err != nil {
			t.Errorf("%s: not undone: %v: %s", p.kind, err, out)
		}
		if slices.Contains(got, want) {
			right++
		} else {
			t.Logf("%s: MISSED", p.kind)
		}
		t.Logf("%s: want %s, got %v", p.kind, want, got)
	}
	t.Logf("%s: %d of %d kinds found, seed %d", m.name, right, all, seed)
	if right*100 < all*95 {
		t.Errorf("got %d of %d found, want 95 of 100", right, all)
	}
	if got := m.audit(t, m.reach, "--since", m.snapshot(t, "after")); len(got) > 0 {
		t.Errorf("as it was again: got %v, want no finding", got)
	}
}

// seaworthy runs the program.
func (m machine) seaworthy(t *testing.T, args ...string) []byte {
	t.Helper()
	c := exec.CommandContext(t.Context(), m.bin, args...)
	c.Dir = m.dir
	c.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(m.dir, "state"), "XDG_RUNTIME_DIR="+filepath.Join(m.dir, "run"))
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %v: %s", args, err, errs.String())
	}
	return out
}

// snapshot reads the host into a folder of that name.
func (m machine) snapshot(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(m.dir, name)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	m.seaworthy(t, slices.Concat([]string{"collect", "-o", dir, "--quiet"}, m.reach)...)
	return dir
}

// audit gives the findings of the host as "R110 ens4".
func (m machine) audit(t *testing.T, of []string, args ...string) []string {
	t.Helper()
	var result struct {
		Findings []struct {
			Rule    string `json:"rule"`
			Element struct {
				Element string `json:"element"`
			} `json:"element"`
		} `json:"findings"`
	}
	out := m.seaworthy(t, slices.Concat([]string{"audit", "--no-ping", "--quiet", "--fail-on", "never", "-f", "json"}, of, args)...)
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("audit: %v: %.300s", err, out)
	}
	var found []string
	for _, f := range result.Findings {
		found = append(found, f.Rule+" "+f.Element.Element)
	}
	slices.Sort(found)
	return slices.Compact(found)
}
