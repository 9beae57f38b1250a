package assemble_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"seaworthy/lab/fault"
)

// Tagged VLANs pass trunk adapters, SEAs, EtherChannels and ports, and stay
// apart.
func TestVLANs(t *testing.T) {
	t.Parallel()
	l := up(t, "vlans")
	for _, x := range []struct{ from, to, by string }{
		{"lpar1", "10.1.0.13", "untagged, to an EtherChannel"},
		{"lpar1", "10.10.0.13", "a VLAN device on virtual Ethernet, to one on an EtherChannel"},
		{"lpar2", "10.20.0.13", "tagged by the hypervisor"},
		{"lpar2", "10.20.0.14", "to a VLAN device on a port"},
		{"lpar2", "10.20.0.21", "to a VLAN device on the SEA"},
		{"lpar4", "10.20.0.13", "between two of them"},
	} {
		if n := ping(t, l, x.from, x.to, "-c 2 -i 0.2"); n != 0 {
			t.Errorf("%s to %s (%s): %d of 2 pings lost", x.from, x.to, x.by, n)
		}
	}
	// An address of VLAN 20 is not to be found in VLAN 10.
	run(t, l, "lpar1", "", "chdev -l en1 -a netaddr=10.20.0.99 -a netmask=255.255.255.0")
	if n := ping(t, l, "lpar1", "10.20.0.13", "-c 1 -w 1"); n != 1 {
		t.Error("VLAN 10 reaches VLAN 20")
	}
	out, _, _ := run(t, l, "lpar1", "",
		"lsdev -Cl ent1 -F 'name status subclass type description'; lsattr -El ent1 -F 'attribute value'; entstat -d ent1")
	for _, want := range []string{"ent1 Available vlan eth VLAN", "vlan_tag_id   10", "base_adapter  ent0", "VLAN Tag ID: 10"} {
		if !strings.Contains(out, want) {
			t.Errorf("lpar1 ent1: %q is not in\n%s", want, out)
		}
	}
	if _, errs, exit := run(t, l, "lpar1", "", "chdev -l ent1 -a vlan_tag_id=20"); exit == 0 || !strings.Contains(errs, "mkdev another") {
		t.Errorf("another tag: got exit %d, %q, want a refusal", exit, errs)
	}
	// The adapter below counts what the VLAN device sends, and passes it only
	// while it is there.
	before := sent(t, l, "lpar1", "ent0")
	ping(t, l, "lpar1", "10.20.0.13", "-c 3 -i 0.1 -w 1")
	if sent(t, l, "lpar1", "ent0") <= before {
		t.Error("ent0 does not count the frames of ent1")
	}
	out, _, _ = run(t, l, "vios1", "root", "chdev -l ent5 -a accounting=enabled; ping -c 1 10.20.0.12; seastat -d ent5")
	if !strings.Contains(out, "VLAN: 20") || !strings.Contains(out, "Hostname: lpar2") {
		t.Errorf("seastat: got\n%s", out)
	}
	// A client with one address in two VLANs is two clients, each with its own frames.
	must(t, l, "vios1", "chdev -l ent5 -a accounting=disabled; chdev -l ent5 -a accounting=enabled; ifconfig en5 >/dev/null")
	must(t, l, "lpar1", "chdev -l en1 -a netaddr=10.10.0.11 -a netmask=255.255.255.0; ping -c 1 10.1.0.13; ping -c 9 -i 0.1 10.10.0.13")
	out = must(t, l, "vios1", "seastat -d ent5")
	received := map[string]int{}
	for _, m := range regexp.MustCompile(`(?s)VLAN: (\d+)\n.*?Packets: \d+ +Packets: (\d+)`).FindAllStringSubmatch(out, -1) {
		received[m[1]], _ = strconv.Atoi(m[2])
	}
	if received["1"] == 0 || received["10"] < 9 || received["1"] > 5 {
		t.Errorf("one ping in VLAN 1, nine in VLAN 10: got received %v in\n%s", received, out)
	}
	// A port that is down is down for all VLANs.
	breakIt(t, l, fault.Fault{Kind: "port-down", Target: "lpar4:ent0"})
	if n := ping(t, l, "lpar2", "10.20.0.14", "-c 1 -w 1"); n != 1 {
		t.Error("a port without a cable passes VLAN 20")
	}
	mend(t, l, fault.Fault{})
	if n := ping(t, l, "lpar2", "10.20.0.14", "-c 2 -i 0.2"); n != 0 {
		t.Errorf("mended: %d of 2 pings lost", n)
	}
}
