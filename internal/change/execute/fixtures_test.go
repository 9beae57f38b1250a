package execute_test

import (
	"testing"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/plantest"
)

var (
	prefixes, attrs, desired = plantest.Prefixes, plantest.Attrs, plantest.Desired
	known, behind, simulate  = plantest.Known, plantest.Behind, plantest.Simulate
	digest, resign           = plantest.Digest, plantest.Resign
)

func pair(t *testing.T) (lpar, vios *box) {
	t.Helper()
	l, v := plantest.Pair(t)
	return &box{host: l}, &box{host: v}
}

func cabled(t *testing.T, name, addr, mtu string) *box {
	t.Helper()
	return &box{host: plantest.Cabled(t, name, addr, mtu)}
}

func build(t *testing.T, boxes []*box, want ...string) *plan.Plan {
	t.Helper()
	var hosts []*model.Host
	for _, b := range boxes {
		hosts = append(hosts, b.host)
	}
	return plantest.Build(t, hosts, want...)
}
