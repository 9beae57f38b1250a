package expr_test

import (
	"fmt"
	"testing"

	"seaworthy/internal/audit/expr"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// Each vNIC has a logical port of its own on the VIOS: what the physical port carries is counted
// over all of them.
func TestVNICsOfAPhysicalPort(t *testing.T) {
	s, _ := sessionOf(t, "two-systems")
	vios := &model.Host{Name: "v1", Platform: model.VIOS, Elements: map[string]*model.Element{}}
	for i, c := range []struct{ location, state string }{
		{"U78D3.001.WZS0001-P1-C4-T1-S1", "active"}, {"U78D3.001.WZS0001-P1-C4-T1-S2", "Active"},
		{"U78D3.001.WZS0001-P1-C4-T1-S3", "inactive"}, {"U78D3.001.WZS0001-P1-C4-T2-S4", "active"},
	} {
		port := fmt.Sprintf("ent%d", i)
		vios.Elements[port] = &model.Element{Name: port, Kind: model.Physical, Location: c.location}
		vios.Servers = append(vios.Servers, model.VNICServer{Name: fmt.Sprintf("vnicserver%d", i), Backing: port, State: c.state})
	}
	g := graph.Of(&model.Fleet{Hosts: []*model.Host{vios}})
	for port, want := range map[string]int{"ent0": 2, "ent3": 1} {
		e := g.At(model.Ref{Host: "v1", Element: port})
		got := expr.New(expr.Condition, fmt.Sprintf("el.carried_vnics == %d", want)).Decide(s, e)
		if got.Truth != expr.Yes {
			t.Errorf("%s: got %d %v, want %d vNICs", port, got.Truth, got.Missing, want)
		}
	}
}
