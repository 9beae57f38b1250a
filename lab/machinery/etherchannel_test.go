package machinery_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

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

// push sends one TCP stream from a port of lpar2 and tells how many packets
// each member of its EtherChannel carried.
func push(t *testing.T, l *lab.Lab, source int) (first, second int) {
	t.Helper()
	a, b := sent(t, l, "lpar2", "ent0"), sent(t, l, "lpar2", "ent1")
	// dd has nothing to do with the lab's commands: any stream hashes.
	line := fmt.Sprintf(`timeout 20 python3 -c 'import socket
s=socket.socket(); s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1); s.bind(("10.10.10.12",%d)); s.connect(("10.10.10.11",5001)); s.sendall(b"x"*600000); s.close()'`, source)
	if _, errs, exit := run(t, l, "lpar2", "", line); exit != 0 {
		if strings.Contains(errs, "not found") {
			t.Skipf("a stream from a chosen port needs python3 here: %s", errs)
		}
		t.Fatalf("stream from port %d: exit %d, %s", source, exit, errs)
	}
	return sent(t, l, "lpar2", "ent0") - a, sent(t, l, "lpar2", "ent1") - b
}

// Flows take the port that AIX's formula gives them, and go on when it fails.
func TestEtherChannel(t *testing.T) {
	l := up(t, "etherchannel")
	run(t, l, "lpar1", "", "iperf -s >/dev/null 2>&1 & sleep 0.3")
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 3"); n != 0 {
		t.Fatalf("%d of 3 pings lost", n)
	}
	for source, want := range map[int]int{41001: (41001 + 5001) / 2 % 2, 41003: (41003 + 5001) / 2 % 2} {
		a, b := push(t, l, source)
		if carried := []int{a, b}; carried[want] < 15 || carried[1-want] > 10 {
			t.Errorf("port %d: members carried %d and %d packets, want the stream on member %d", source, a, b, want)
		}
	}
	// By address every stream to one host takes one port.
	run(t, l, "lpar2", "", "ifconfig en3 detach; chdev -l ent3 -a hash_mode=default; chdev -l en3 -a state=up")
	for _, source := range []int{41011, 41013} {
		if a, b := push(t, l, source); a > 10 || b < 15 {
			t.Errorf("hash_mode=default, port %d: members carried %d and %d, want all on the second: 11 is odd", source, a, b)
		}
	}
	out, _, _ := run(t, l, "lpar2", "", "entstat -d ent3")
	for _, want := range []string{"Device Type: EtherChannel", "Number of primary adapters: 2", "Number of backup adapters: 1", "Active channel: primary channel", "Hash mode: Destination IP address"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	// One port fails, then the other: the backup stands in.
	for i, target := range []string{"lpar2:ent1", "lpar2:ent0"} {
		breakIt(t, l, fault.Fault{Kind: "port-down", Target: target})
		if n := ping(t, l, "lpar1", "10.10.10.12", "-c 5 -i 0.2"); n > 0 {
			t.Errorf("%d ports down: %d of 5 pings lost", i+1, n)
		}
	}
	if out, _, _ := run(t, l, "lpar2", "", "entstat -d ent3"); !strings.Contains(out, "Active channel: backup channel") {
		t.Errorf("both ports down: got\n%s", out)
	}
	mend(t, l, fault.Fault{})
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 5 -i 0.2"); n > 0 {
		t.Errorf("mended: %d of 5 pings lost", n)
	}
	// Below the SEA, too.
	breakIt(t, l, fault.Fault{Kind: "port-down", Target: "vios1:ent0"})
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 5 -i 0.2"); n > 0 {
		t.Errorf("a port below the SEA down: %d of 5 pings lost", n)
	}
	if out, _, _ := run(t, l, "vios1", "", "topas -E -i 1"); !regexp.MustCompile(`(?s)ent5 \(SEA\).*\|\\--ent2 \(EC PHYS\).*\|  \|\\--ent0 \(PRIM\).*\|   \\--ent1 \(PRIM\).* \\--ent4 \(VETH\)`).MatchString(out) {
		t.Errorf("topas -E: got\n%s", out)
	}
}

// A switch that passes no jumbo frames swallows them, and a cable that loses
// frames shows in the counters.
func TestBlackHoleAndLoss(t *testing.T) {
	l := up(t, "testdata/jumbo.yaml")
	for _, f := range []fault.Fault{{Kind: "no-jumbo", Target: "sw1/2"}} {
		if n := ping(t, l, "lpar1", "10.10.10.12", "-c 2 -s 8000"); n != 0 {
			t.Fatalf("jumbo before: %d of 2 pings lost", n)
		}
		breakIt(t, l, f)
		if n := ping(t, l, "lpar1", "10.10.10.12", "-c 2 -s 8000"); n != 2 {
			t.Errorf("a black hole: %d of 2 large pings lost, want both", n)
		}
		if n := ping(t, l, "lpar1", "10.10.10.12", "-c 2 -s 1000"); n != 0 {
			t.Errorf("a black hole: %d of 2 small pings lost", n)
		}
		mend(t, l, f)
	}
	f := fault.Fault{Kind: "loss", Target: "lpar2:ent0", Value: "30"}
	breakIt(t, l, f)
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 60 -i 0.05 -w 10"); n < 15 || n > 50 {
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
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 20 -i 0.1"); n == 0 || n == 20 {
		t.Errorf("a flapping port: %d of 20 pings lost, want some", n)
	}
	mend(t, l, fault.Fault{Kind: "flap"})
	if n := ping(t, l, "lpar1", "10.10.10.12", "-c 5 -i 0.1"); n != 0 {
		t.Errorf("mended: %d of 5 pings lost", n)
	}
	for _, bad := range []fault.Fault{{Kind: "crash", Target: "lpar9"}, {Kind: "nonsense", Target: "lpar1"}, {Kind: "duplex", Target: "lpar2:ent0"}, {Kind: "loss", Target: "lpar2:ent0", Value: "101"}} {
		if err := l.Query(t.Context(), "break", bad, nil); err == nil {
			t.Errorf("break %s: got success", bad)
		}
	}
}
