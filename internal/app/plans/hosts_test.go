package plans

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
)

// A plan file must not reach this machine, nor hosts that the user did not mean.
func TestHostsOfAPlanFile(t *testing.T) {
	inventory := filepath.Join(t.TempDir(), "hosts.yaml")
	if err := os.WriteFile(inventory, []byte("hosts:\n  lpar1: {address: 192.0.2.1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	planned := func(hosts ...string) *plan.Plan { return &plan.Plan{Hosts: hosts} }
	proves := planned("lpar1")
	proves.Next = &plan.Plan{Proofs: []plan.Proof{{Host: "lpar9"}}}
	manual := planned("lpar1")
	manual.Steps = []plan.Step{{Task: task.Task{Kind: task.Manual},
		Manual: &plan.ManualStep{Proofs: []plan.PortProof{{Proof: plan.Proof{Host: "local"}}}}}}
	for _, c := range []struct {
		name, inventory string
		plan            *plan.Plan
		want            string
	}{
		{"a host of the inventory", inventory, planned("lpar1"), ""},
		{"any host without an inventory", "", planned("lpar7"), ""},
		{"this machine", "", planned("lpar1", "local"), "this machine"},
		{"this machine, with an inventory", inventory, planned("local"), "this machine"},
		{"this machine, by a proof", "", manual, "this machine"},
		{"a host outside the inventory", inventory, planned("lpar1", "lpar7"), "host lpar7 is not in"},
		{"an address outside the inventory", inventory, planned("root@192.0.2.9:22"), "host root@192.0.2.9:22 is not in"},
		{"a host outside it that only proves something", inventory, proves, "host lpar9 is not in"},
	} {
		err := checkHosts(t.Context(), fleet.Access{HostsFile: c.inventory}, c.plan)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}
