package guest_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/test/needs"
)

// A lab with bonds on a kernel that has the driver, in a guest: LACP is spoken, a link that
// goes down is missed, and the rules on bonds say what the kernel says.
func TestBonds(t *testing.T) {
	h := boot(t, "networkd")
	if err := needs.Programs(h.dir, "seaworthy", "seaworthy-lab"); err != nil {
		t.Fatal(err)
	}
	h.install("seaworthy", "seaworthy-lab")
	if got := h.run("seaworthy lab doctor"); !strings.Contains(got, "bonding  yes") {
		t.Fatalf("lab doctor: got %s", got)
	}
	h.run("seaworthy lab up bond")
	const two = "for x in v w; do ip link add $x type veth peer ${x}1 && ip link set $x master bond1 && ip link set ${x}1 up; done && " +
		"ip link set bond1 up && ip address add 10.9.9.9/24 dev bond1"
	for _, c := range []struct {
		name, node, do, undo string
		want                 []string
	}{
		{"LACP as it was made", "lacp1", "true", "true", nil},
		{"active-backup as it was made", "backup1", "true", "true", nil},
		{"links not monitored", "lacp1", "ip link set bond0 type bond miimon 0", "ip link set bond0 type bond miimon 100", []string{"R157"}},
		{"hash by MAC", "lacp1", "ip link set bond0 type bond xmit_hash_policy layer2",
			"ip link set bond0 type bond xmit_hash_policy layer3+4", []string{"R114"}},
		{"no partner", "lacp1", "ip link add bond1 type bond mode 802.3ad miimon 100 xmit_hash_policy layer3+4 && " + two,
			"ip link del bond1; ip link del v; ip link del w", []string{"R158", "R159"}},
		{"packets in turn", "backup1", "ip link add bond1 type bond mode balance-rr miimon 100 && " + two,
			"ip link del bond1; ip link del v; ip link del w", []string{"R161"}},
	} {
		h.node(c.node, c.do)
		if got := h.findings(c.node); !slices.Equal(got, c.want) {
			t.Errorf("%s: got findings %v, want %v\n%s", c.name, got, c.want, h.node(c.node, "cat /proc/net/bonding/*"))
		}
		h.node(c.node, c.undo)
	}
	// Cables that are out.
	h.node("backup1", "ip link set bond0 type bond primary eth0")
	for node, want := range map[string]string{"lacp1": "R159", "backup1": "R160"} {
		h.run("seaworthy lab break " + node + ":eth0 port-down")
		h.node(node, "for i in 1 2 3 4 5 6 7 8 9 10; do grep -q 'MII Status: down' /proc/net/bonding/bond0 && break; ping -qc 1 10.10.30.11; done")
		if got := h.findings(node); !slices.Contains(got, want) {
			t.Errorf("%s without eth0: got findings %v, want %s among them\n%s", node, got, want, h.node(node, "cat /proc/net/bonding/bond0"))
		}
		if got := h.node(node, "ping -qc 3 10.10.30.11"); !strings.Contains(got, " 0% packet loss") {
			t.Errorf("%s without eth0: %s", node, got)
		}
	}
	h.run("seaworthy lab down")
}

// install copies programs to the guest.
func (h *host) install(programs ...string) {
	h.t.Helper()
	for _, p := range programs {
		in, err := os.Open(filepath.Join(h.dir, p))
		if err != nil {
			h.t.Fatal(err)
		}
		defer in.Close()
		at := "/usr/local/bin/" + p
		c := exec.CommandContext(h.t.Context(), "ssh", "-F", h.guest.SSHConfig(), h.guest.Kind.Name, "cat >"+at+" && chmod 755 "+at)
		c.Stdin = in
		if out, err := c.CombinedOutput(); err != nil {
			h.t.Fatalf("copy %s: %v: %s", p, err, out)
		}
	}
}

// node runs a command on a node of the lab that runs in the guest.
func (h *host) node(node, line string) string {
	h.t.Helper()
	return h.run("seaworthy lab exec " + node + " -- '" + strings.ReplaceAll(line, "'", `'\''`) + "'")
}

// findings are the rules with findings on a node of that lab.
func (h *host) findings(node string) (ids []string) {
	h.t.Helper()
	var got struct {
		Findings []struct {
			Rule string `json:"rule"`
		} `json:"findings"`
	}
	text := h.run("seaworthy audit -i lab " + node + " --no-ping -f json --fail-on never")
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		h.t.Fatalf("audit %s: %v: %.500s", node, err, text)
	}
	for _, f := range got.Findings {
		ids = append(ids, f.Rule)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
