package guest_test

import (
	"fmt"
	"strings"
	"testing"
)

// reads is how a guest itself shows a value that a plan sets.
var reads = map[string]string{
	"mtu":   "cat /sys/class/net/%s/mtu",
	"gro":   "ethtool -k %s | sed -n 's/^generic-receive-offload: //p'",
	"tso":   "ethtool -k %s | sed -n 's/^tcp-segmentation-offload: //p'",
	"tx":    "ethtool -k %s | sed -n 's/^tx-checksumming: //p'",
	"rings": "ethtool -g %s | sed -n '/^Current/,$s/^RX:[[:blank:]]*//p'",
}

// values are those of the guest's ports, each named PORT:ATTRIBUTE.
func (h *host) values(names []string) string {
	h.t.Helper()
	var got []string
	for _, n := range names {
		port, attr, _ := strings.Cut(n, ":")
		got = append(got, n+"="+h.run(fmt.Sprintf(reads[attr], port)))
	}
	return strings.Join(got, " ")
}

// etc is every file that configures the guest, by its checksum.
func (h *host) etc() string {
	h.t.Helper()
	return h.run("cd /etc && find . -type f | sort | xargs -d '\\n' md5sum")
}

// A change of a real host is there after it was applied, after a reboot, and gone
// after rollback and another reboot.
func TestChangesOutliveReboot(t *testing.T) {
	for _, c := range []struct {
		kind    string
		want    string // PORT:ATTRIBUTE=VALUE
		rewrite bool   // what keeps the values writes its files again
		spoil   string // set wrong by the host's own files, so that audit finds it
	}{
		// QEMU's virtual Ethernet port has neither TSO nor checksums to switch; the PCI port has.
		{kind: "pseries", want: "ibmveth2:gro=off ibmveth2:mtu=4000 pci0:tso=on pci0:tx=on",
			spoil: "sed -i '/^iface pci0/a up ethtool -K pci0 tso off tx off' /etc/network/interfaces && ifdown pci0 && ifup pci0"},
		{kind: "ifupdown", want: "ens4:mtu=4000 ens4:rings=512 ens4:tso=off"},
		{kind: "networkd", want: "ens4:mtu=4000 ens4:rings=512 ens4:tx=off"},
		{kind: "networkmanager", want: "ens4:mtu=4000 ens4:rings=512 ens4:tso=off", rewrite: true},
	} {
		t.Run(c.kind, func(t *testing.T) {
			h := boot(t, c.kind)
			if c.spoil != "" {
				h.run(c.spoil)
				if got := h.tool(2, "audit", c.kind, "--no-ping", "--quiet"); !strings.Contains(got, "R110") {
					t.Errorf("offloads off: got %s, want R110", got)
				}
			}
			want := c.want
			var attrs []string
			args := []string{"plan", c.kind, "-o", "plan.json", "--quiet"}
			for _, set := range strings.Fields(want) {
				name, _, _ := strings.Cut(set, "=")
				attrs = append(attrs, name)
				args = append(args, "--set", c.kind+":"+set)
			}
			old, files := h.values(attrs), h.etc()
			if old == want {
				t.Fatalf("the guest has these values already: %s", old)
			}
			t.Log(h.tool(2, args...))
			h.tool(0, "apply", "plan.json", "--done", "switch-ports", "--confirm-within", "60s", "--auto-confirm", "--quiet")
			if got := h.values(attrs); got != want {
				t.Errorf("after apply: got %s, want %s", got, want)
			}
			h.reboot()
			if got := h.values(attrs); got != want {
				t.Errorf("after apply and a reboot: got %s, want %s", got, want)
			}
			h.tool(0, "rollback", "latest", "--quiet")
			if got := h.values(attrs); got != old {
				t.Errorf("after rollback: got %s, want %s", got, old)
			}
			if got := h.etc(); got != files && !c.rewrite {
				t.Errorf("/etc after rollback:\n%s\nwant\n%s", got, files)
			}
			h.reboot()
			if got := h.values(attrs); got != old {
				t.Errorf("after rollback and a reboot: got %s, want %s", got, old)
			}
		})
	}
}

// What a change that nobody confirmed leaves after a reboot within its time is the
// host as it was.
func TestRebootRollsBack(t *testing.T) {
	h := boot(t, "pseries")
	attrs := []string{"ibmveth2:gro", "ibmveth2:mtu"}
	old, files := h.values(attrs), h.etc()
	h.tool(2, "plan", "pseries", "--set", "pseries:"+h.guest.Kind.Interface+":mtu=4000", "-o", "plan.json", "--quiet")
	h.tool(0, "apply", "plan.json", "--done", "switch-ports", "--confirm-within", "10m", "--no-wait", "--quiet")
	if got := h.values(attrs); got == old {
		t.Fatalf("apply changed nothing: %s", got)
	}
	h.reboot()
	if got := h.values(attrs); got != old {
		t.Errorf("after a reboot before the confirmation: got %s, want %s", got, old)
	}
	if got := h.etc(); got != files {
		t.Errorf("/etc after a reboot before the confirmation:\n%s\nwant\n%s", got, files)
	}
}
