package commands_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"seaworthy/lab/node"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

func (l *lab) want(what string, got, want any) {
	l.t.Helper()
	if got != want {
		l.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func (l *lab) end(ns, dev string) wire.Settings {
	return l.state.Ends[wire.End{Namespace: ns, Device: dev}]
}

// value reads an attribute the way a script does.
func (l *lab) value(host, dev, attr string) string {
	l.t.Helper()
	return strings.TrimSpace(l.must(host, "lsattr -El "+dev+" -a "+attr+" -F value"))
}

func TestMtuBypass(t *testing.T) {
	l := newLab(t, "two-systems")
	l.want("TSO before", l.end("lpar1", "en0").TSO, false)
	l.want("chdev", l.must("lpar1", "chdev -l en0 -a mtu_bypass=on"), "en0 changed\n")
	l.want("TSO", l.end("lpar1", "en0").TSO, true)
	if out := l.must("lpar1", "ifconfig en0"); !strings.Contains(out, "LARGESEND") {
		t.Errorf("ifconfig: got %q, want LARGESEND", out)
	}
	l.must("lpar1", "chdev -l en0 -a mtu_bypass=off")
	l.want("TSO off", l.end("lpar1", "en0").TSO, false)
	l.refused("lpar1", "chdev -l en0 -a mtu_bypass=maybe", "0514-018")
	l.refused("lpar1", "chdev -l en0 -a nosuch=1", "0514-017")
	l.refused("lpar1", "chdev -l en9 -a mtu_bypass=on", "0514-519")
}

// Running and database part ways with ifconfig and with -P, and meet again at
// the next boot.
func TestDrift(t *testing.T) {
	l := newLab(t, "two-systems")
	l.must("lpar1", "ifconfig en0 largesend")
	l.want("database", l.value("lpar1", "en0", "mtu_bypass"), "off")
	l.want("kernel", l.end("lpar1", "en0").TSO, true)
	l.must("lpar1", "ifconfig en0 -largesend")
	l.want("kernel", l.end("lpar1", "en0").TSO, false)
	l.must("lpar1", "ifconfig en0 largesend")
	l.must("vios1", "chdev -l ent0 -a large_send=no -P")
	l.want("database", l.value("vios1", "ent0", "large_send"), "no")
	l.want("last configured", strings.TrimSpace(l.must("vios1", "lsattr -Pl ent0 -a large_send -F value")), "yes")
	l.want("kernel", l.end("vios1", "en0").TSO, true)
	l.must("padmin@vios1", "shutdown -force -restart")
	l.want("kernel after the boot", l.end("vios1", "en0").TSO, false)
	l.must("lpar1", "shutdown -Fr")
	l.want("lpar1 after the boot", l.end("lpar1", "en0").TSO, false)
}

func TestBusy(t *testing.T) {
	l := newLab(t, "two-systems")
	const busy = "0514-062 the device is busy"
	l.refused("lpar1", "chdev -l ent0 -a chksum_offload=no", busy)
	l.refused("vios1", "chdev -l ent0 -a jumbo_frames=yes", busy)
	l.refused("vios1", "chdev -l ent4 -a max_buf_huge=128", busy)
	l.refused("padmin@vios1", "chdev -dev ent0 -attr jumbo_frames=yes", "ioscli passes on")
	l.refused("lpar1", "chdev -l en0 -a mtu=9000", busy)
	l.want("-P", l.must("vios1", "chdev -l ent0 -a jumbo_frames=yes -P"), "ent0 changed\n")
	l.want("-perm", l.must("padmin@vios1", "chdev -dev ent4 -attr max_buf_huge=128 min_buf_huge=64 -perm"), "ent4 changed\n")
	// Detached, the adapter is free.
	l.must("lpar1", "chdev -l en0 -a state=down")
	l.refused("lpar1", "chdev -l ent0 -a chksum_offload=no", busy)
	l.must("lpar1", "chdev -l en0 -a state=detach")
	l.must("lpar1", "chdev -l ent0 -a chksum_offload=no")
	l.must("lpar1", "chdev -l en0 -a state=up")
	l.want("checksum", l.end("lpar1", "en0").TxChecksum, false)
	l.must("lpar1", "chdev -l en0 -a mtu_bypass=on")
	l.want("largesend without checksum offload", l.end("lpar1", "en0").TSO, false)
	// Without the SEA the adapters below it are free, too.
	l.must("vios1", "chdev -l en5 -a state=detach")
	l.must("vios1", "rmdev -l ent5")
	l.want("bridge", l.end("vios1", "en5").Up, false)
	l.must("vios1", "chdev -l ent0 -a flow_ctrl=no")
	l.want("mkdev", l.must("vios1", "mkdev -l ent5"), "ent5 Available\n")
	l.must("vios1", "mkdev -l en5")
	l.want("bridge", l.end("vios1", "en5").Up, true)
}

// The jumbo procedure of a client and its VIOS, as seed 001 gives it.
func TestJumbo(t *testing.T) {
	l := newLab(t, "two-systems")
	for _, line := range []string{"chdev -l en0 -a state=down", "chdev -l en0 -a state=detach"} {
		l.must("lpar1", line)
	}
	l.want("addresses", len(l.end("lpar1", "en0").Addresses), 0)
	if out := l.must("lpar1", "ifconfig -a"); strings.Contains(out, "en0") {
		t.Errorf("ifconfig -a of a detached interface: got %q, want no en0", out)
	}
	for _, line := range []string{"chdev -l en0 -a mtu=9000", "chdev -l en0 -a state=up"} {
		l.must("lpar1", line)
	}
	l.want("mkdev", l.must("lpar1", "mkdev -l inet0"), "inet0 Available\n")
	l.want("MTU", l.end("lpar1", "en0").MTU, 9000)
	l.want("addresses", len(l.end("lpar1", "en0").Addresses), 1)
	// A path with one small element: the sender cuts before it.
	l.want("towards the trunk", l.end("hyp:cec1", "vios1.ent4").TSO, false)
	l.want("trunk", l.end("vios1", "en4").MTU, 1500)
	for _, v := range []string{"vios1", "vios2"} {
		l.must(v, "chdev -l ent0 -a jumbo_frames=yes -P")
		l.must(v, "chdev -l ent5 -a jumbo_frames=yes")
		l.must("padmin@"+v, "shutdown -force -restart")
	}
	l.want("port", l.end("vios1", "en0").MTU, 9000)
	l.want("towards the trunk, switch still 1500", l.end("hyp:cec1", "vios1.ent4").TSO, false)
}

func TestJumboOnDedicatedPort(t *testing.T) {
	l := newLab(t, "dedicated")
	l.must("lpar1", "chdev -l en0 -a state=detach")
	l.refused("lpar1", "chdev -l en0 -a mtu=9000", "0514-018")
	l.must("lpar1", "chdev -l ent0 -a jumbo_frames=yes")
	l.must("lpar1", "chdev -l en0 -a mtu=9000 -a state=up")
	l.want("MTU", l.end("lpar1", "en0").MTU, 9000)
	l.refused("lpar1", "ifconfig en0 mtu 65000", "Invalid argument")
	l.must("lpar1", "ifconfig en0 mtu 1400")
	l.want("MTU", l.end("lpar1", "en0").MTU, 1400)
	l.want("database", l.value("lpar1", "en0", "mtu"), "9000")
}

// A kernel that refuses leaves everything as it was.
func TestKernelRefuses(t *testing.T) {
	l := newLab(t, "two-systems")
	l.refuse = errors.New("lpar1 en0: set offloads: operation not supported")
	l.refused("lpar1", "chdev -l en0 -a mtu_bypass=on", "operation not supported")
	l.want("database", l.value("lpar1", "en0", "mtu_bypass"), "off")
	l.want("kernel", l.end("lpar1", "en0").TSO, false)
	l.refuse = errors.New("lpar1: sysctl net.ipv4.tcp_sack: not permitted")
	l.refused("lpar1", "no -o sack=1", "not permitted")
	l.want("no", l.must("lpar1", "no -o sack"), "sack = 0\n")
}

func TestWindows(t *testing.T) {
	l := newLab(t, "two-systems")
	sysctl := func(host, key string) string { return l.state.Sysctls[host][key] }
	l.want("default", sysctl("lpar1", "net.ipv4.tcp_rmem"), "4096\t524288\t524288")
	l.must("lpar1", "chdev -l en0 -a tcp_recvspace=524288 -a tcp_sendspace=65536 -a rfc1323=0")
	l.want("receive", sysctl("lpar1", "net.ipv4.tcp_rmem"), "4096\t1048576\t1048576")
	l.want("send", sysctl("lpar1", "net.ipv4.tcp_wmem"), "4096\t131072\t131072")
	l.want("scaling", sysctl("lpar1", "net.ipv4.tcp_window_scaling"), "0")
	if out, _, status := l.run("lpar1", "no -p -o use_isno=0"); status != 1 || !strings.Contains(out, "confirmation required yes/no") {
		t.Errorf("a restricted tunable without an answer: got %q and status %d, want a question that is not answered", out, status)
	}
	l.want("nobody said yes", sysctl("lpar1", "net.ipv4.tcp_rmem"), "4096\t1048576\t1048576")
	l.must("lpar1", "echo yes | no -p -o use_isno=0")
	l.want("no decides", sysctl("lpar1", "net.ipv4.tcp_rmem"), "4096\t32768\t32768")
	out := l.must("lpar1", "no -o tcp_recvspace=65536 -o tcp_sendspace=32768")
	if !strings.HasPrefix(out, "Setting tcp_recvspace to 65536\n") {
		t.Errorf("no: got %q", out)
	}
	l.want("send", sysctl("lpar1", "net.ipv4.tcp_wmem"), "4096\t65536\t65536")
	l.refused("lpar1", "no -o tcp_recvspace=12", "must be between")
	l.refused("lpar1", "chdev -l en0 -a tcp_recvspace=2000000", "0514-018")
	l.must("lpar1", "shutdown -Fr")
	l.want("only use_isno was written with -p", sysctl("lpar1", "net.ipv4.tcp_rmem"), "4096\t32768\t32768")
}

// A tunable of type Connect restarts inetd, as the vendor's page says; no other does,
// and none whose running value stays.
func TestInetd(t *testing.T) {
	l := newLab(t, "two-systems")
	inetd := func() string {
		t.Helper()
		return l.must("lpar1", "lssrc -s inetd")
	}
	before := inetd()
	for _, line := range []string{"no -o ipforwarding=1", "no -r -o tcp_recvspace=65536", "chdev -l en0 -a tcp_nodelay=1"} {
		l.must("lpar1", line)
		l.want(line, inetd(), before)
	}
	for _, line := range []string{"no -o tcp_recvspace=65536", "no -p -o tcp_recvspace=131072"} {
		l.must("lpar1", line)
		if after := inetd(); after == before || !strings.Contains(after, "active") {
			t.Errorf("%s: inetd is %q, as before", line, after)
		}
		before = inetd()
	}
}

func TestSEA(t *testing.T) {
	l := newLab(t, "two-systems")
	l.want("before", l.end("hyp:cec1", "vios1.ent4").TSO, true)
	l.must("padmin@vios1", "chdev -dev ent5 -attr largesend=0")
	l.want("towards the trunk", l.end("hyp:cec1", "vios1.ent4").TSO, false)
	l.want("port", l.end("vios1", "en0").TSO, false)
	l.want("GRO", l.end("vios1", "en0").GRO, true)
	l.must("padmin@vios1", "chdev -dev ent5 -attr large_receive=no accounting=enabled")
	l.want("GRO", l.end("vios1", "en0").GRO, false)
	l.want("accounting", strings.Fields(l.must("padmin@vios1", "lsdev -dev ent5 -attr accounting"))[1], "enabled")
	l.refused("padmin@vios1", "chdev -dev ent5 -attr real_adapter=ent4", "topology")
	l.refused("padmin@vios1", "chdev -dev ent5 largesend=0", "too many parameters")
}

func TestInterfaces(t *testing.T) {
	l := newLab(t, "two-systems")
	l.must("lpar1", "ifconfig en0 down")
	if out := l.must("lpar1", "netstat -in"); !strings.Contains(out, "en0*") {
		t.Errorf("netstat -in of an interface that is down: got %q, want en0*", out)
	}
	l.must("lpar1", "ifconfig en0 up")
	l.must("lpar1", "ifconfig en0 alias 10.9.9.1 netmask 255.255.0.0")
	l.want("addresses", len(l.end("lpar1", "en0").Addresses), 2)
	l.must("lpar1", "ifconfig en0 10.9.9.1 delete")
	l.want("addresses", len(l.end("lpar1", "en0").Addresses), 1)
	l.refused("lpar1", "ifconfig en0 bogus", "neither a parameter nor")
	l.refused("lpar1", "rmdev -l en0", "0514-062")
	l.must("lpar1", "chdev -l en0 -a state=detach")
	l.want("rmdev", l.must("lpar1", "rmdev -l en0 -d"), "en0 deleted\n")
	l.refused("lpar1", "mkdev -l en0", "0514-519")
	l.must("lpar1", "cfgmgr")
	l.want("mkdev", l.must("lpar1", "mkdev -l en0"), "en0 Available\n")
	l.must("lpar1", "chdev -l en0 -a state=up")
	l.want("addresses", len(l.end("lpar1", "en0").Addresses), 1)
}

// lparstat shows what the kernel accounts, and - for what it does not.
func TestLparstatInterval(t *testing.T) {
	l := newLab(t, "two-systems")
	sample := func() []string {
		t.Helper()
		lines := strings.Split(strings.TrimSpace(l.must("vios1", "lparstat 1 1")), "\n")
		return strings.Fields(lines[len(lines)-1])
	}
	l.want("nobody counts", strings.Join(sample(), " "), "- - - - - -")
	var used node.CPUTime
	now := time.Unix(0, 0)
	l.Now = func() time.Time { now = now.Add(time.Second); return now }
	l.CPU = func(string) (node.CPUTime, bool) {
		used.User += 100 * time.Millisecond
		used.System += 400 * time.Millisecond
		return used, true
	}
	l.want("half a core of two", strings.Join(sample(), " "), "5.0 20.0 - - 0.50 25.0")
	l.CPU = func(string) (node.CPUTime, bool) { used.User += 3 * time.Second; return used, true }
	l.want("above the entitlement, shares are of what is consumed", strings.Join(sample(), " "), "100.0 0.0 - - 3.00 150.0")
	l.CPU = func(string) (node.CPUTime, bool) { used.User -= time.Millisecond; return used, true }
	l.want("time that went back", strings.Join(sample(), " "), "- - - - - -")
}

// Without an interval lparstat prints the mean since the boot, at once.
func TestLparstatSinceBoot(t *testing.T) {
	l := newLab(t, "two-systems")
	last := func() string {
		t.Helper()
		lines := strings.Split(strings.TrimSpace(l.must("vios1", "lparstat")), "\n")
		return strings.Join(strings.Fields(lines[len(lines)-1]), " ")
	}
	l.CPU = func(string) (node.CPUTime, bool) {
		return node.CPUTime{User: 10 * time.Second, System: 40 * time.Second}, true
	}
	l.want("nobody knows since when", last(), "- - - - - -")
	l.Started = time.Unix(0, 0)
	l.Now = func() time.Time { return l.Started.Add(100 * time.Second) }
	l.Sleep = func(context.Context, time.Duration) error { t.Error("it waits"); return nil }
	l.want("50 s of 100", last(), "5.0 20.0 - - 0.50 25.0")
}

// Every topology of the lab has databases that its commands can print.
func TestEveryBuiltin(t *testing.T) {
	for _, name := range topology.Builtins() {
		l := newLab(t, name)
		for _, s := range l.Topology.Systems {
			for _, n := range s.Nodes {
				for _, d := range l.Stores[n.Name].Devices() {
					l.must(n.Name, "lsattr -El "+d.Name)
				}
			}
		}
	}
}

// What only the kernel has goes with its interface, and mkdev -l inet0 does not
// bring it back.
func TestRoutesOfTheKernel(t *testing.T) {
	l := newLab(t, "two-systems")
	routes := func() int { return len(l.state.Routes["lpar1"]) }
	before := routes()
	l.must("lpar1", "ifconfig en0 inet 10.1.0.77 netmask 255.255.0.0 alias")
	l.must("lpar1", "route add -net 10.99.0.0 -netmask 255.255.0.0 10.1.0.2")
	l.must("lpar1", "route add -host 10.98.0.1 10.1.0.2")
	l.refused("lpar1", "route add -host 10.98.0.1 10.1.0.2", "File exists")
	l.refused("lpar1", "route add -net 10.97.0.0 -netmask 255.255.0.0 192.0.2.1", "unreachable")
	l.refused("lpar1", "route add 10.97.0.0", "adds and deletes")
	l.want("routes", routes(), before+2)
	l.must("lpar1", "route delete -host 10.98.0.1")
	l.refused("lpar1", "route delete -host 10.98.0.1 10.1.0.2", "not in table")
	l.want("routes", routes(), before+1)
	for _, state := range []string{"down", "detach", "up"} {
		l.must("lpar1", "chdev -l en0 -a state="+state)
	}
	l.must("lpar1", "mkdev -l inet0")
	l.want("routes after the interface was away", routes(), before)
}
