package assemble_test

import (
	"strings"
	"testing"

	"seaworthy/lab/fault"
)

// VLAN pseudo devices come and go while the lab runs, on every kind of adapter.
func TestVLANsAtRunTime(t *testing.T) {
	t.Parallel()
	l := up(t, "vlans")
	const form = "mkdev -c adapter -s vlan -t eth -a base_adapter=%s -a vlan_tag_id=%s"
	mkdev := func(node, base, tag, want string) {
		t.Helper()
		if out := must(t, l, node, strings.NewReplacer("%s -a", base+" -a", "%s", tag).Replace(form)); out != want+" Available\n" {
			t.Errorf("%s: VLAN %s on %s: got %q, want %s", node, tag, base, out, want)
		}
	}
	// lpar1 has ent0 and ent1; VLAN 30 is new everywhere but not on its adapter's list.
	mkdev("lpar3", "ent2", "30", "ent5")
	mkdev("lpar4", "ent0", "30", "ent2")
	must(t, l, "lpar3", "chdev -l en5 -a netaddr=10.30.0.13 -a netmask=255.255.255.0 -a state=up")
	must(t, l, "lpar4", "chdev -l en2 -a netaddr=10.30.0.14 -a netmask=255.255.255.0 -a state=up")
	if n := ping(t, l, "lpar4", "10.30.0.13", "-c 3 -i 0.2"); n != 0 {
		t.Errorf("a port to an EtherChannel in a new VLAN: %d of 3 pings lost", n)
	}
	if out := must(t, l, "lpar4", "entstat -d ent2; lsdev -Cc adapter"); !strings.Contains(out, "VLAN Tag ID: 30") ||
		!strings.Contains(out, "ent1 Available       VLAN\nent2 Available       VLAN\n") {
		t.Errorf("lpar4: got\n%s", out)
	}
	// On a VIOS, in ioscli's way; the SEA bridges that VLAN already, and goes on doing so.
	passing := make(chan string)
	go func() {
		out, errs, _ := run(t, l, "lpar1", "", "ping -c 150 -i 0.01 10.10.0.13 | tail -2")
		passing <- out + errs
	}()
	ping(t, l, "lpar1", "10.10.0.13", "-c 3 -i 0.2") // the others have begun meanwhile
	if out, errs, exit := run(t, l, "vios1", "padmin", "mkvdev -vlan ent5 -tagid 10"); exit != 0 || out != "ent1 Available\nen1\net1\n" {
		t.Errorf("mkvdev: got exit %d, %q, %s", exit, out, errs)
	}
	if out := <-passing; !strings.Contains(out, " 0% packet loss") {
		t.Errorf("VLAN 10 of the SEA while a VLAN device is put on it: got %s, want no packet lost", out)
	}
	must(t, l, "vios1", "chdev -l en1 -a netaddr=10.10.0.21 -a netmask=255.255.255.0 -a state=up")
	for _, from := range []string{"lpar1", "lpar3"} {
		if n := ping(t, l, from, "10.10.0.21", "-c 3 -i 0.2"); n != 0 {
			t.Errorf("%s to the SEA's new VLAN device: %d of 3 pings lost", from, n)
		}
	}
	if n := ping(t, l, "lpar1", "10.10.0.13", "-c 3 -i 0.2"); n != 0 {
		t.Errorf("through the SEA that has got a VLAN device: %d of 3 pings lost", n)
	}
	// A new device is like any other: it is still there after a restart, and a
	// port without link has none.
	breakIt(t, l, fault.Fault{Kind: "crash", Target: "lpar4"})
	mend(t, l, fault.Fault{})
	if n := ping(t, l, "lpar3", "10.30.0.14", "-c 3 -i 0.2"); n != 0 {
		t.Errorf("after a restart: %d of 3 pings lost", n)
	}
	for _, bad := range []struct{ node, line, want string }{
		{"lpar4", "mkdev -c adapter -s vlan -t eth -a base_adapter=ent0 -a vlan_tag_id=30", "belongs to ent2 already"},
		{"lpar4", "mkdev -c adapter -s vlan -t eth -a base_adapter=ent0", "vlan_tag_id"},
		{"lpar4", "mkdev -c adapter -s vlan -t eth -a base_adapter=ent0 -a vlan_tag_id=4095", "0514-018"},
		{"lpar4", "mkdev -c adapter -s vlan -t eth -a base_adapter=ent0 -a vlan_tag_id=40 -a colour=red", "0514-017"},
		{"lpar4", "mkdev -c adapter -s vlan -t eth -a base_adapter=ent2 -a vlan_tag_id=40", "VLAN device itself"},
		{"lpar3", "mkdev -c adapter -s vlan -t eth -a base_adapter=ent0 -a vlan_tag_id=40", "belongs to ent2"},
		{"vios1", "mkdev -c adapter -s vlan -t eth -a base_adapter=ent0 -a vlan_tag_id=40", "belongs to ent5"},
		{"vios1", "/usr/ios/cli/ioscli mkvdev -sea ent0 -vadapter ent4 -default ent4 -defaultid 1", "those of its topology"},
		{"lpar4", "rmdev -dl ent2", "0514-062"},
		{"lpar4", "rmdev -dl ent0", "0514-062"},
	} {
		if out, errs, exit := run(t, l, bad.node, "root", bad.line); exit == 0 || !strings.Contains(errs, bad.want) {
			t.Errorf("%s: %s: got exit %d, %q %q, want a refusal with %q", bad.node, bad.line, exit, out, errs, bad.want)
		}
	}
	// None of the refused left anything behind; and the others go without a trace.
	for _, x := range []struct{ node, dev, en, was string }{
		{"lpar4", "ent2", "en2", "ent0 ent1"}, {"lpar3", "ent5", "en5", "ent0 ent1 ent2 ent3 ent4"},
		{"vios1", "ent1", "en1", "ent0 ent4 ent5 ent6"},
	} {
		must(t, l, x.node, "ifconfig "+x.en+" detach; rmdev -dl "+x.dev)
		if got := strings.Join(strings.Fields(must(t, l, x.node, "lsdev -Cc adapter -F name; lsdev -Cl "+x.en+" 2>/dev/null; cfgmgr")),
			" "); got != x.was {
			t.Errorf("%s without %s: got %s, want %s", x.node, x.dev, got, x.was)
		}
	}
	for _, to := range []string{"10.1.0.13", "10.10.0.13"} {
		if n := ping(t, l, "lpar1", to, "-c 2 -i 0.2"); n != 0 {
			t.Errorf("to %s when they have gone: %d of 2 pings lost", to, n)
		}
	}
	mkdev("lpar4", "ent0", "30", "ent2") // the same again
}
