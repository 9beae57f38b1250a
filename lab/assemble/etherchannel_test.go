package assemble_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/test/needs"
	"seaworthy/lab"
	"seaworthy/lab/fault"
)

// sent is how many packets have left by a port.
func sent(t *testing.T, l *lab.Lab, node, port string) int {
	t.Helper()
	out, errs, exit := run(t, l, node, "root", "entstat "+port)
	m := regexp.MustCompile(`(?m)^Packets: (\d+)`).FindStringSubmatch(out)
	if exit != 0 || m == nil {
		t.Fatalf("%s: entstat %s: exit %d, %s%s", node, port, exit, out, errs)
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

var localPort = regexp.MustCompile(`local 10\.10\.10\.12 port (\d+)`)

// push sends one TCP stream from lpar2 and reports its source port, and how many
// packets each member of the EtherChannel carried.
func push(t *testing.T, l *lab.Lab) (source int, carried [2]int) {
	t.Helper()
	before := [2]int{sent(t, l, "lpar2", "ent0"), sent(t, l, "lpar2", "ent1")}
	out, errs, exit := run(t, l, "lpar2", "", "iperf -c 10.10.10.11 -n 600K -l 64K")
	m := localPort.FindStringSubmatch(out)
	if exit != 0 || m == nil {
		t.Fatalf("iperf: exit %d, %s%s", exit, out, errs)
	}
	source, _ = strconv.Atoi(m[1])
	return source, [2]int{sent(t, l, "lpar2", "ent0") - before[0], sent(t, l, "lpar2", "ent1") - before[1]}
}

// Flows take the port that AIX's formula gives them, and go on when it fails.
func TestEtherChannel(t *testing.T) {
	needs.Tool(t, "iperf")
	t.Parallel()
	l := up(t, "etherchannel")
	run(t, l, "lpar1", "", "iperf -s >/dev/null 2>&1 & sleep 0.3")
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 3 -i 0.1"); n != 0 {
		t.Fatalf("%d of 3 pings lost", n)
	}
	used := [2]bool{}
	for i := 0; i < 20 && used != [2]bool{true, true}; i++ {
		source, carried := push(t, l)
		want := (source + 5001) / 2 % 2
		used[want] = true
		if carried[want] < 15 || carried[1-want] > 10 {
			t.Errorf("source port %d: members carried %v packets, want the stream on member %d", source, carried, want)
		}
	}
	if used != [2]bool{true, true} {
		t.Errorf("20 streams all took one member: %v", used)
	}
	// By address every stream to one host takes one port.
	run(t, l, "lpar2", "", "ifconfig en3 detach; chdev -l ent3 -a hash_mode=default; chdev -l en3 -a state=up")
	for range 3 {
		if source, carried := push(t, l); carried[0] > 10 || carried[1] < 15 {
			t.Errorf("hash_mode=default, source port %d: members carried %v, want all on the second: 11 is odd", source, carried)
		}
	}
	// What leaves whole by either port counts as the interface's largesend.
	run(t, l, "lpar2", "", "chdev -l en3 -a mtu_bypass=on")
	push(t, l)
	if out, errs, _ := run(t, l, "lpar2", "",
		"netstat -p tcp | grep largesend"); !regexp.MustCompile(`(?m)^\s*[1-9]\d+ bytes sent using largesend`).MatchString(out) {
		t.Errorf("netstat -p tcp: got %q, %q, want large sends", out, errs)
	}
	out, _, _ := run(t, l, "lpar2", "", "entstat -d ent3")
	for _, want := range []string{"Device Type: EtherChannel", "Number of primary adapters: 2",
		"Number of backup adapters: 1", "Active channel: primary channel", "Hash mode: Destination IP address"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	// One port fails, then the other: the backup stands in.
	for i, target := range []string{"lpar2:ent1", "lpar2:ent0"} {
		breakIt(t, l, fault.Fault{Kind: "port-down", Target: target})
		if n := ping(t, l, "lpar1", "10.10.10.12", "-c 5 -i 0.1"); n > 0 {
			t.Errorf("%d ports down: %d of 5 pings lost", i+1, n)
		}
	}
	if out, _, _ := run(t, l, "lpar2", "", "entstat -d ent3"); !strings.Contains(out, "Active channel: backup channel") {
		t.Errorf("both ports down: got\n%s", out)
	}
	mend(t, l, fault.Fault{})
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 5 -i 0.1"); n > 0 {
		t.Errorf("mended: %d of 5 pings lost", n)
	}
	// A port may fail while nobody uses the EtherChannel.
	run(t, l, "lpar2", "", "chdev -l en3 -a state=down")
	breakIt(t, l, fault.Fault{Kind: "port-down", Target: "lpar2:ent0"})
	mend(t, l, fault.Fault{})
	run(t, l, "lpar2", "", "chdev -l en3 -a state=up")
	// A member's cable loses frames like any other. Both ends know each other's
	// hardware address by then: a lost ARP request would lose every ping.
	ping(t, l, "lpar1", "10.10.10.12", "-c 3 -i 0.2")
	for _, target := range []string{"lpar2:ent0", "lpar2:ent1"} {
		breakIt(t, l, fault.Fault{Kind: "loss", Target: target, Value: "30"})
	}
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 60 -i 0.05 -w 1"); n < 15 || n > 50 {
		t.Errorf("30 %% lost each way: %d of 60 pings lost, want about 30", n)
	}
	mend(t, l, fault.Fault{})
	// Below the SEA, too.
	breakIt(t, l, fault.Fault{Kind: "port-down", Target: "vios1:ent0"})
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 5 -i 0.1"); n > 0 {
		t.Errorf("a port below the SEA down: %d of 5 pings lost", n)
	}
	if out, _, _ := run(t, l, "vios1", "", "topas -E -i 1"); !regexp.MustCompile(`(?s)ent5 \(SEA\).*\|\\--ent2 \(EC PHYS\).*\|  \|\\--ent0 \(PRIM\).*\|   \\--ent1 \(PRIM\).* \\--ent4 \(VETH\)`).MatchString(out) {
		t.Errorf("topas -E: got\n%s", out)
	}
}

// A switch that passes no jumbo frames swallows them, and a cable that loses
// frames shows in the counters.
func TestBlackHoleAndLoss(t *testing.T) {
	t.Parallel()
	l := up(t, "testdata/jumbo.yaml")
	for _, f := range []fault.Fault{{Kind: "no-jumbo", Target: "sw1/2"}} {
		if n := ping(t, l, "lpar1", "10.10.10.12", twice(0)+"-s 8000"); n != 0 {
			t.Fatalf("jumbo before: %d of 2 pings lost", n)
		}
		breakIt(t, l, f)
		if n := ping(t, l, "lpar1", "10.10.10.12", twice(2)+"-s 8000"); n != 2 {
			t.Errorf("a black hole: %d of 2 large pings lost, want both", n)
		}
		if n := ping(t, l, "lpar1", "10.10.10.12", twice(0)+"-s 1000"); n != 0 {
			t.Errorf("a black hole: %d of 2 small pings lost", n)
		}
		mend(t, l, f)
	}
	f := fault.Fault{Kind: "loss", Target: "lpar2:ent0", Value: "30"}
	breakIt(t, l, f)
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 60 -i 0.05 -w 1"); n < 15 || n > 50 {
		t.Errorf("30 %% lost each way: %d of 60 pings lost, want about 30", n)
	}
	out, _, _ := run(t, l, "lpar2", "", "entstat ent0")
	if m := regexp.MustCompile(`Receive Errors: (\d+)`).FindStringSubmatch(out); m == nil || m[1] == "0" {
		t.Errorf("lost frames are no receive errors in\n%s", out)
	}
	mend(t, l, f)
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 10 -i 0.05"); n != 0 {
		t.Errorf("mended: %d of 10 pings lost", n)
	}
	breakIt(t, l, fault.Fault{Kind: "flap", Target: "lpar2:ent0", Value: "400ms"})
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 20 -i 0.1 -w 1"); n == 0 || n == 20 {
		t.Errorf("a flapping port: %d of 20 pings lost, want some", n)
	}
	mend(t, l, fault.Fault{Kind: "flap"})
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 5 -i 0.1"); n != 0 {
		t.Errorf("mended: %d of 5 pings lost", n)
	}
	for _, bad := range []fault.Fault{{Kind: "crash", Target: "lpar9"}, {Kind: "nonsense", Target: "lpar1"},
		{Kind: "duplex", Target: "lpar2:ent9"}, {Kind: "loss", Target: "lpar2:ent0", Value: "101"}} {
		if err := l.Query(t.Context(), "break", bad, nil); err == nil {
			t.Errorf("break %s: got success", bad)
		}
	}
}
