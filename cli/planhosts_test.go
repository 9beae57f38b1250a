package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/change"
	"seaworthy/change/task"
)

// A plan file must not reach this machine, nor hosts that the user did not mean.
func TestHostsOfAPlanFile(t *testing.T) {
	inventory := filepath.Join(t.TempDir(), "hosts.yaml")
	if err := os.WriteFile(inventory, []byte("hosts:\n  lpar1: {address: 192.0.2.1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	plan := func(hosts ...string) *change.Plan { return &change.Plan{Hosts: hosts} }
	proves := plan("lpar1")
	proves.Next = &change.Plan{Proofs: []change.Proof{{Host: "lpar9"}}}
	byHand := plan("lpar1")
	byHand.Steps = []change.Step{{Task: task.Task{Kind: task.ByHand}, ByHand: &change.ByHand{Proofs: []change.PortProof{{Proof: change.Proof{Host: "local"}}}}}}
	for _, c := range []struct {
		name, inventory string
		plan            *change.Plan
		want            string
	}{
		{"a host of the inventory", inventory, plan("lpar1"), ""},
		{"any host without an inventory", "", plan("lpar7"), ""},
		{"this machine", "", plan("lpar1", "local"), "this machine"},
		{"this machine, with an inventory", inventory, plan("local"), "this machine"},
		{"this machine, by a proof", "", byHand, "this machine"},
		{"a host outside the inventory", inventory, plan("lpar1", "lpar7"), "host lpar7 is not in"},
		{"an address outside the inventory", inventory, plan("root@192.0.2.9:22"), "host root@192.0.2.9:22 is not in"},
		{"a host outside it that only proves something", inventory, proves, "host lpar9 is not in"},
	} {
		err := (&app{inventory: c.inventory}).knownHosts(c.plan)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}
