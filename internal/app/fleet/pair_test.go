package fleet

import (
	"strings"
	"testing"
	"time"

	"seaworthy/internal/inventory/model"
)

// Another host of the same name is not an earlier snapshot of it; what an HMC listed
// stays where hosts were read twice.
func TestPairKeepsWhatBelongsTogether(t *testing.T) {
	host := func(system, mac string, hour int) *model.Host {
		return &model.Host{Name: "db", MachineID: system, Taken: time.Date(2026, 1, 2, hour, 0, 0, 0, time.UTC),
			Elements: map[string]*model.Element{"ent0": {Name: "ent0", MAC: mac}}}
	}
	r, err := Pair(&model.Fleet{
		Hosts: []*model.Host{host("M", "02:00:00:00:00:01", 9), host("N", "02:00:00:00:00:02", 8), host("M", "02:00:00:00:00:01", 7)},
		HMCs:  []*model.HMC{{Name: "hmc1"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Fleet.Hosts) != 1 || r.Fleet.Hosts[0].MachineID != "M" || r.Fleet.Hosts[0].Taken.Hour() != 9 {
		t.Errorf("newest: got %+v, want that of system M at 9", r.Fleet.Hosts)
	}
	if r.Before == nil || len(r.Before.Hosts) != 1 || r.Before.Hosts[0].Taken.Hour() != 7 || r.Before.Hosts[0].MachineID != "M" {
		t.Errorf("earlier: got %+v, want that of system M at 7", r.Before)
	}
	if len(r.Failed) != 1 || !strings.Contains(r.Failed[0].Error, "two different hosts have this name") {
		t.Errorf("warnings: got %v, want that another host has the name", r.Failed)
	}
	if len(r.Fleet.HMCs) != 1 {
		t.Errorf("consoles: got %d, want the HMC's list kept", len(r.Fleet.HMCs))
	}
}
