package plan_test

import (
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
)

// Clients that only the HMC knows can be of any system.
func TestLargeReceiveTowardsStrangers(t *testing.T) {
	one, no := 1, false
	hmc := func(lpar, system string, pvid *int) *model.HMC {
		return &model.HMC{Name: "hmc1", Adapters: []model.AdapterProfile{
			{Kind: model.Virtual, System: system, LPAR: lpar, MAC: "32:00:00:00:00:01", PVID: pvid, VSwitch: "ETHERNET0", Trunk: &no}}}
	}
	runs := func(c *model.HMC, p model.Platform) *model.HMC {
		c.Adapters[0].Runs = p
		return c
	}
	other := 77
	for _, c := range []struct {
		name    string
		hmc     *model.HMC
		setting string
		accept  []string
		refused string
	}{
		{name: "a partition of the same VLAN", hmc: hmc("ibmi1", "9009-22A*1", &one), setting: "vios1:ent5:large_receive=yes",
			refused: "vios1:ent5 carries partitions that were not read: ibmi1"},
		{name: "the user answers for it", hmc: hmc("ibmi1", "9009-22A*1", &one), setting: "vios1:ent5:large_receive=yes",
			accept: []string{"R009"}},
		{name: "the HMC says IBM i", hmc: runs(hmc("erp", "9009-22A*1", &one), model.IBMi), setting: "vios1:ent5:large_receive=yes",
			refused: "vios1:ent5 carries partitions with IBM i, as the HMC says: erp (adapter 32:00:00:00:00:01)"},
		{name: "the HMC says AIX", hmc: runs(hmc("db", "9009-22A*1", &one), model.AIX), setting: "vios1:ent5:large_receive=yes"},
		{name: "the HMC says Linux, not which", hmc: runs(hmc("web", "9009-22A*1", &one), model.Linux),
			setting: "vios1:ent5:large_receive=yes", refused: "vios1:ent5 carries partitions that were not read: web"},
		{name: "of another VLAN", hmc: hmc("ibmi1", "9009-22A*1", &other), setting: "vios1:ent5:large_receive=yes"},
		{name: "of another system", hmc: hmc("ibmi1", "9009-22A*2", &one), setting: "vios1:ent5:large_receive=yes"},
		{name: "another attribute", hmc: hmc("ibmi1", "9009-22A*1", &one), setting: "vios1:ent4:max_buf_small=4096"},
	} {
		f := behind(t, "5.14.0")
		f.HMCs = []*model.HMC{c.hmc}
		p := simulate(t, f, c.accept, c.setting)
		var reasons []string
		for _, r := range p.Refused {
			reasons = append(reasons, r.Reason)
		}
		if got := strings.Join(reasons, "; "); (c.refused == "") != (got == "" && len(p.Steps) > 0) || !strings.Contains(got, c.refused) {
			t.Errorf("%s: got %d steps, refused %q, want %q", c.name, len(p.Steps), got, c.refused)
		}
	}
}

// What cannot be known afterwards is reported as unknown, never as success.
func TestUnsure(t *testing.T) {
	for _, c := range []struct {
		name string
		note bool
		prep func(f *model.Fleet)
	}{
		{"the level of a Linux client was not read", true, func(f *model.Fleet) { f.Host("linux1").Level = "" }},
		{"all is known", false, func(*model.Fleet) {}},
	} {
		f := behind(t, "5.14.0")
		c.prep(f)
		p := simulate(t, f, nil, "vios1:ent5:large_receive=yes")
		if len(p.Steps) != 1 {
			t.Fatalf("%s: got %d steps, refused %+v", c.name, len(p.Steps), p.Refused)
		}
		notes := strings.Join(p.Steps[0].Notes, "; ")
		if got := strings.Contains(notes, "whether R009 then holds for vios1:ent5"); got != c.note {
			t.Errorf("%s: got notes %q, want one on R009: %t", c.name, notes, c.note)
		}
	}
}

// Where a driver is known to fail with large packets, the step says so.
func TestKnownDefects(t *testing.T) {
	for _, fixed := range []bool{false, true} {
		f := behind(t, "5.14.0")
		h := f.Host("lpar1")
		h.Elements["en0"].Attrs["mtu_bypass"] = attrs("mtu_bypass=off")["mtu_bypass"]
		// The defect came with the first, and went with the last.
		h.Fixes = map[string]bool{"IV55546": true, "IV55679": false, "IV90168": fixed, "IV91190": false, "IV91200": false,
			"IV91909": false, "IV92012": false, "IV92662": false}
		p := simulate(t, f, nil, "lpar1:en0:mtu_bypass=on")
		if len(p.Steps) != 1 {
			t.Fatalf("got %d steps, refused %+v", len(p.Steps), p.Refused)
		}
		notes := strings.Join(p.Steps[0].Notes, "; ")
		if got := strings.Contains(notes, "audit finds R104 on lpar1, install the fix first: "); got == fixed {
			t.Errorf("fixed %t: got notes %q", fixed, notes)
		}
	}
}
