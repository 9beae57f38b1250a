package assemble_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/needs"
	"seaworthy/lab"
	"seaworthy/lab/fault"
	"seaworthy/lab/topology"
)

// generated starts a lab of a generated topology.
func generated(t *testing.T, s topology.Spec) *lab.Lab {
	t.Helper()
	text, err := topology.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "generated.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return up(t, file)
}

// must runs a line that has to succeed.
func must(t *testing.T, l *lab.Lab, node, line string) string {
	t.Helper()
	out, errs, exit := run(t, l, node, "root", line)
	if exit != 0 {
		t.Fatalf("%s: %s: exit %d, %s%s", node, line, exit, out, errs)
	}
	return out
}

// Every element of a path with jumbo frames that is forgotten is a black hole
// of its own: large packets vanish, small ones pass.
func TestForgottenJumbo(t *testing.T) {
	draw.Rarely(t, 4)
	needs.Tool(t, "iperf")
	t.Parallel()
	// In each system: ent0 and ent1 in EtherChannel ent2, trunk ent3, SEA ent4.
	l := generated(t, topology.Spec{Name: "jumbo", Systems: 2, LPARs: 2, VIOSes: 2, VLANs: 1, HA: "auto", Ports: 2, Rate: "10G", MTU: 9000})
	check := func(what string, wantLarge int) {
		t.Helper()
		if n := ping(t, l, "lpar1", "10.1.0.12", twice(wantLarge)+"-s 8000"); n != wantLarge {
			t.Errorf("%s: %d of 2 large pings lost, want %d", what, n, wantLarge)
		}
		if n := ping(t, l, "lpar1", "10.1.0.12", twice(0)+"-s 1000"); n != 0 {
			t.Errorf("%s: %d of 2 small pings lost, want none", what, n)
		}
	}
	check("complete", 0)
	boot := func(node, dev, attr, value string) {
		t.Helper()
		must(t, l, node, fmt.Sprintf("chdev -l %s -a %s=%s -P", dev, attr, value))
		run(t, l, node, "root", "shutdown -Fr") // its session ends with it
	}
	for _, x := range []struct{ node, dev, attr, bad, good string }{
		{"vios1", "ent4", "jumbo_frames", "no", "yes"},
		{"vios2", "ent4", "jumbo_frames", "no", "yes"},
		{"vios2", "ent2", "use_jumbo_frame", "no", "yes"},
		{"vios1", "ent2", "use_jumbo_frame", "no", "yes"},
	} {
		boot(x.node, x.dev, x.attr, x.bad)
		check(fmt.Sprintf("%s %s %s=%s", x.node, x.dev, x.attr, x.bad), 2)
		boot(x.node, x.dev, x.attr, x.good)
		check(fmt.Sprintf("%s %s %s=%s", x.node, x.dev, x.attr, x.good), 0)
	}
	// Of a system's ports, both: the other one would carry the stream.
	for _, v := range []string{"no", "yes"} {
		must(t, l, "vios2", "chdev -l ent0 -a jumbo_frames="+v+" -P; chdev -l ent1 -a jumbo_frames="+v+" -P")
		run(t, l, "vios2", "root", "shutdown -Fr")
		small := 0
		if v == "no" {
			small = 2
		}
		check("vios2 ent0 and ent1 jumbo_frames="+v, small)
	}
	for _, p := range []string{"sw1/1", "sw1/2"} {
		breakIt(t, l, fault.Fault{Kind: "no-jumbo", Target: p})
	}
	check("switch ports", 2)
	mend(t, l, fault.Fault{})
	// A peer of another MTU on the same VLAN gets only what fits it.
	must(t, l, "lpar2", "ifconfig en0 detach; chdev -l en0 -a mtu=1500; chdev -l en0 -a state=up")
	check("mixed MTU", 2)
	must(t, l, "lpar2", "iperf -s >/dev/null 2>&1 & sleep 0.3")
	if out := must(t, l, "lpar1", "iperf -c 10.1.0.12 -n 600K -l 64K"); !strings.Contains(out, "bits/sec") {
		t.Errorf("TCP, which knows both MTUs: got %s", out)
	}
}

var bytesSent = regexp.MustCompile(`(?m)^Bytes: (\d+)`)

// Partitions of one system talk over the hypervisor switch, by packets of up
// to 64 KB, and no SEA sees or carries them.
func TestInsideOneSystem(t *testing.T) {
	t.Parallel()
	l := generated(t, topology.Spec{Name: "inside", Systems: 1, LPARs: 2, VIOSes: 1, VLANs: 1, HA: "auto", Ports: 1, Rate: "10G", MTU: 1500})
	seen := func() int {
		m := bytesSent.FindStringSubmatch(must(t, l, "vios1", "entstat ent0"))
		if m == nil {
			t.Fatal("entstat ent0 prints no bytes")
		}
		n, _ := strconv.Atoi(m[1])
		return n
	}
	for _, mtu := range []int{1500, 9000, 65390, 65394} {
		for _, n := range []string{"lpar1", "lpar2"} {
			must(t, l, n, fmt.Sprintf("ifconfig en0 detach; chdev -l en0 -a mtu=%d; chdev -l en0 -a state=up", mtu))
		}
		const headers = 28
		if n := ping(t, l, "lpar1", "10.1.0.12", fmt.Sprintf("-c 2 -i 0.2 -s %d", mtu-headers)); n != 0 {
			t.Errorf("MTU %d: %d of 2 pings of that size lost", mtu, n)
		}
	}
	if _, errs, exit := run(t, l, "lpar1", "root", "ifconfig en0 detach; chdev -l en0 -a mtu=65395"); exit == 0 ||
		!strings.Contains(errs, "65394") {
		t.Errorf("MTU 65395: got exit %d, %q, want a refusal that names 65394", exit, errs)
	}
	must(t, l, "lpar1", "chdev -l en0 -a state=up")
	// Unicast frames between the two leave the VIOS's port alone.
	before := seen()
	if n := ping(t, l, "lpar1", "10.1.0.12", "-c 20 -i 0.02 -s 60000"); n != 0 {
		t.Errorf("%d of 20 pings lost", n)
	}
	// Broadcasts (ARP) go out, as they do on a real system; 1.2 MB do not.
	if after := seen(); after > before+2000 {
		t.Errorf("vios1 ent0 sent %d bytes before and %d after: the SEA was not bypassed", before, after)
	}
	breakIt(t, l, fault.Fault{Kind: "crash", Target: "vios1"})
	if n := ping(t, l, "lpar1", "10.1.0.12", "-c 2 -i 0.2"); n != 0 {
		t.Errorf("with the VIOS down: %d of 2 pings lost", n)
	}
	// An interface of 64 KB towards the outside is a black hole.
	mend(t, l, fault.Fault{})
	if n := ping(t, l, "lpar1", "10.1.255.1", "-c 1 -w 1 -s 8000"); n != 1 {
		t.Error("the SEA took a packet of 8000 bytes without jumbo_frames")
	}
}
