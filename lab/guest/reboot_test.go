package guest_test

import (
	"fmt"
	"maps"
	"slices"
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

// values are those of the guest's port.
func (h *host) values(attrs []string) string {
	h.t.Helper()
	var b strings.Builder
	for _, a := range attrs {
		fmt.Fprintf(&b, "%s=%s ", a, h.run(fmt.Sprintf(reads[a], h.guest.Kind.Interface)))
	}
	return strings.TrimSpace(b.String())
}

// etc is every file that configures the guest, by its checksum.
func (h *host) etc() string {
	h.t.Helper()
	return h.run("cd /etc && find . -type f | sort | xargs -d '\\n' md5sum")
}

// A change of a real host is there after it was applied, after a restart, and gone
// after rollback and another restart.
func TestChangesOutliveReboot(t *testing.T) {
	for _, c := range []struct {
		kind    string
		want    map[string]string
		rewrite bool // what keeps the values writes its files anew
	}{
		{"pseries", map[string]string{"mtu": "4000", "gro": "off"}, false},
		{"ifupdown", map[string]string{"mtu": "4000", "rings": "512", "tso": "off"}, false},
		{"networkd", map[string]string{"mtu": "4000", "rings": "512", "tx": "off"}, false},
		{"networkmanager", map[string]string{"mtu": "4000", "rings": "512", "tso": "off"}, true},
	} {
		t.Run(c.kind, func(t *testing.T) {
			h := boot(t, c.kind)
			attrs := slices.Sorted(maps.Keys(c.want))
			old, files := h.values(attrs), h.etc()
			args := []string{"plan", c.kind, "-o", "plan.json", "--quiet"}
			var want string
			for _, a := range attrs {
				args = append(args, "--set", fmt.Sprintf("%s:%s:%s=%s", c.kind, h.guest.Kind.Interface, a, c.want[a]))
				want = strings.TrimSpace(want + " " + a + "=" + c.want[a])
			}
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
				t.Errorf("after apply and a restart: got %s, want %s", got, want)
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
				t.Errorf("after rollback and a restart: got %s, want %s", got, old)
			}
		})
	}
}

// What a change that nobody confirmed leaves after a restart within its time is the
// host as it was.
func TestRestartRollsBack(t *testing.T) {
	h := boot(t, "pseries")
	attrs := []string{"gro", "mtu"}
	old, files := h.values(attrs), h.etc()
	h.tool(2, "plan", "pseries", "--set", "pseries:"+h.guest.Kind.Interface+":mtu=4000", "-o", "plan.json", "--quiet")
	h.tool(0, "apply", "plan.json", "--done", "switch-ports", "--confirm-within", "10m", "--no-wait", "--quiet")
	if got := h.values(attrs); got == old {
		t.Fatalf("apply changed nothing: %s", got)
	}
	h.reboot()
	if got := h.values(attrs); got != old {
		t.Errorf("after a restart before the confirmation: got %s, want %s", got, old)
	}
	if got := h.etc(); got != files {
		t.Errorf("/etc after a restart before the confirmation:\n%s\nwant\n%s", got, files)
	}
}
