package plan_test

import (
	"strings"
	"testing"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// A host whose name means the machine on which a plan is used is not planned for: its
// playbook and its scripts would change the operator's own.
func TestNoPlanForThisMachine(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "local", "127.1", "localhost.localdomain", "root@localhost"} {
		h := linuxHost()
		h.Name = name
		want := desired("linux1:eth0:mtu=9000")
		want[0].Host = name
		p, err := plan.Build(&model.Fleet{Hosts: []*model.Host{h}}, cat, want)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Steps) > 0 || len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Reason, "a name of its own") {
			t.Errorf("%s: got %d steps, refused %+v; want it refused", name, len(p.Steps), p.Refused)
		}
	}
}
