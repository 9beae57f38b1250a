package effect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// What the SEAs of a pair do, from what is set and what is broken.
func TestFailovers(t *testing.T) {
	type change struct{ node, attr, value string }
	for _, x := range []struct {
		name    string
		changes []change
		faults  effect.Faults
		want    string // node=state(bridging trunks)
		warn    string
	}{
		{"as built", nil, effect.Faults{}, "vios1a=PRIMARY(ent4) vios1b=BACKUP() vios2a=PRIMARY_SH(ent4) vios2b=BACKUP_SH(ent7)", ""},
		{"crash", nil, faults(effect.Crash, [2]string{"vios1a"}, [2]string{"vios2b"}),
			"vios1a=() vios1b=PRIMARY(ent4) vios2a=PRIMARY(ent4 ent7) vios2b=()", ""},
		{"link down", nil, faults(effect.PortDown, [2]string{"vios1a", "ent0"}, [2]string{"vios2a", "ent0"}),
			"vios1a=LIMBO() vios1b=PRIMARY(ent4) vios2a=LIMBO() vios2b=PRIMARY(ent4 ent7)", ""},
		{"link out for a moment", nil, faults(effect.Flap, [2]string{"vios1a", "ent0"}),
			"vios1a=LIMBO() vios1b=PRIMARY(ent4) vios2a=PRIMARY_SH(ent4) vios2b=BACKUP_SH(ent7)", ""},
		{"control channel cut", nil, faults(effect.ControlCut, [2]string{"cec1"}),
			"vios1a=PRIMARY(ent4) vios1b=PRIMARY() vios2a=PRIMARY_SH(ent4) vios2b=BACKUP_SH(ent7)",
			"vios1a ent5 and vios1b ent5 both bridge VLAN 1"},
		{"standby", []change{{"vios1a", "ha_mode", "standby"}}, effect.Faults{},
			"vios1a=BACKUP() vios1b=PRIMARY(ent4) vios2a=PRIMARY_SH(ent4) vios2b=BACKUP_SH(ent7)", ""},
		{"standby of a lone SEA", []change{{"vios1a", "ha_mode", "standby"}}, faults(effect.Crash, [2]string{"vios1b"}),
			"vios1a=PRIMARY(ent4) vios1b=() vios2a=PRIMARY_SH(ent4) vios2b=BACKUP_SH(ent7)", ""},
		{"one with sharing only", []change{{"vios2b", "ha_mode", "auto"}}, effect.Faults{},
			"vios1a=PRIMARY(ent4) vios1b=BACKUP() vios2a=PRIMARY(ent4 ent7) vios2b=BACKUP()", ""},
		{"sharing with one trunk", []change{{"vios1a", "ha_mode", "sharing"}, {"vios1b", "ha_mode", "sharing"}}, effect.Faults{},
			"vios1a=PRIMARY(ent4) vios1b=BACKUP() vios2a=PRIMARY_SH(ent4) vios2b=BACKUP_SH(ent7)", ""},
		{"no failover", []change{{"vios1b", "ha_mode", "disabled"}}, effect.Faults{},
			"vios1a=PRIMARY(ent4) vios1b=() vios2a=PRIMARY_SH(ent4) vios2b=BACKUP_SH(ent7)", "loop guard"},
	} {
		t.Run(x.name, func(t *testing.T) {
			top, stores := load(t, "dual-vios")
			for _, c := range x.changes {
				if err := stores[c.node].Change("ent5", []odm.Setting{{Attr: c.attr, Value: c.value}}, odm.Both); err != nil {
					t.Fatal(err)
				}
			}
			look := effect.Lookup{Stores: stores, Faults: x.faults}
			pairs, warnings := effect.Failovers(top, look)
			var got []string
			for at, f := range pairs {
				var open []string
				for trunk, active := range f.Active {
					if active {
						open = append(open, trunk)
					}
				}
				slices.Sort(open)
				got = append(got, fmt.Sprintf("%s=%s(%s)", at[0], f.State, strings.Join(open, " ")))
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != x.want {
				t.Errorf("got  %s\nwant %s", s, x.want)
			}
			if s := strings.Join(warnings, "; "); (x.warn == "") != (s == "") || !strings.Contains(s, x.warn) {
				t.Errorf("warnings: got %q, want %q", s, x.warn)
			}
			// The kernel gets the same: a trunk that does not bridge is unplugged.
			st, err := effect.Desired(top, look)
			if err != nil {
				t.Fatal(err)
			}
			for e, s := range st.Ends {
				node, trunk, ok := strings.Cut(e.Device, ".")
				f := pairs[[2]string{node, "ent5"}]
				if !ok || f == nil || !strings.HasPrefix(e.Namespace, "hyp:") || trunk == "ent6" {
					continue
				}
				if s.Unplugged == f.Active[trunk] {
					t.Errorf("%v: got unplugged %v while active is %v", e, s.Unplugged, f.Active[trunk])
				}
			}
		})
	}
}

// With noauto_failback an SEA that is back stands by, until the other one fails.
func TestNoAutomaticFailback(t *testing.T) {
	top, stores := load(t, "dual-vios")
	set := func(node, attr, value string) {
		t.Helper()
		if err := stores[node].Change("ent5", []odm.Setting{{Attr: attr, Value: value}}, odm.Both); err != nil {
			t.Fatal(err)
		}
	}
	a, b := [2]string{"vios1a", "ent5"}, [2]string{"vios1b", "ent5"}
	sharing := [2]string{"vios2a", "ent5"}
	first := map[[2]string]bool{}
	step := func(what string, f effect.Faults, want string) {
		t.Helper()
		pairs, warnings := effect.Failovers(top, effect.Lookup{Stores: stores, Faults: f, Primary: first})
		first = map[[2]string]bool{}
		for at, p := range pairs {
			first[at] = strings.HasPrefix(p.State, "PRIMARY")
		}
		if got := pairs[a].State + " " + pairs[b].State; got != want || len(warnings) > 0 {
			t.Errorf("%s: got %s, %q, want %s", what, got, warnings, want)
		}
		if len(f) == 0 && pairs[sharing].State != "PRIMARY_SH" {
			t.Errorf("%s: %v shares as %s, want PRIMARY_SH", what, sharing, pairs[sharing].State)
		}
	}
	down := func(nodes ...string) effect.Faults {
		f := effect.Faults{}
		for _, n := range nodes {
			f[effect.Fault{Kind: effect.Crash, At: [2]string{n}}] = 1
		}
		return f
	}
	set("vios1b", "noauto_failback", "yes") // of the one that stands by it changes nothing
	set("vios2a", "noauto_failback", "yes") // nor of those that share
	step("as built", effect.Faults{}, "PRIMARY BACKUP")
	step("crash", down("vios1a", "vios2a"), " PRIMARY")
	step("back by itself", effect.Faults{}, "PRIMARY BACKUP")
	set("vios1a", "noauto_failback", "yes")
	step("set", effect.Faults{}, "PRIMARY BACKUP")
	step("crash again", down("vios1a"), " PRIMARY")
	step("back and waiting", effect.Faults{}, "BACKUP PRIMARY")
	step("still waiting", effect.Faults{}, "BACKUP PRIMARY")
	set("vios1b", "ha_mode", "standby")
	step("the other is made standby", effect.Faults{}, "PRIMARY BACKUP")
	set("vios1b", "ha_mode", "auto")
	step("and is no longer", effect.Faults{}, "PRIMARY BACKUP")
	step("both down", down("vios1a", "vios1b"), " ")
	step("both back at once", effect.Faults{}, "PRIMARY BACKUP")
}

// An SEA can make a loop by itself.
func TestGuardOfOneSEA(t *testing.T) {
	_, text, err := topology.Source(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "twice.yaml")
	twice := strings.Replace(string(text), "trunks: [ent4]}",
		"trunks: [ent4, ent6]}\n          ent6: {kind: virtual, pvid: 7, vlans: [1], trunk: true, priority: 2}", 1)
	if err := os.WriteFile(file, []byte(twice), 0o644); err != nil {
		t.Fatal(err)
	}
	top, stores := load(t, file)
	pairs, warnings := effect.Failovers(top, effect.Lookup{Stores: stores})
	if f := pairs[[2]string{"vios1", "ent5"}]; !f.Active["ent4"] || f.Active["ent6"] {
		t.Errorf("got %v bridging, want ent4 alone", f.Active)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "vios1 ent5 bridges VLAN 1 by both ent4 and ent6 ") {
		t.Errorf("got %q, want a warning that names both trunks", warnings)
	}
}

// What LACP makes of an EtherChannel, from what is cabled and what is broken.
func TestLACP(t *testing.T) {
	alone, other := effect.Port{}, effect.Port{Partner: true, Key: 3, Number: 4}
	first, second := effect.Port{Partner: true, Key: 2, Number: 3, InStep: true}, effect.Port{Partner: true, Key: 2, Number: 4, InStep: true}
	outOfStep := second
	outOfStep.InStep = false
	for _, x := range []struct {
		name       string
		lag1, lag2 string
		rate2      uint64
		faults     effect.Faults
		status     string
		ent0, ent1 effect.Port
	}{
		{"aggregated", "po2", "po2", 1e9, effect.Faults{}, "Aggregated", first, second},
		{"a cable is out", "po2", "po2", 1e9, faults(effect.PortDown, [2]string{"lpar2", "ent0"}), "Aggregated", alone, second},
		{"all cables are out", "po2", "po2", 1e9, faults(effect.PortDown, [2]string{"lpar2", "ent0"}, [2]string{"lpar2", "ent1"}), "Negotiating", alone, alone},
		{"the switch has no aggregate", "", "", 1e9, effect.Faults{}, "Negotiating", alone, alone},
		{"one port only", "po2", "", 1e9, effect.Faults{}, "Negotiating", first, alone},
		{"two aggregates", "po2", "po3", 1e9, effect.Faults{}, "Failed", first, other},
		{"two speeds", "po2", "po2", 10e9, effect.Faults{}, "Failed", first, outOfStep},
		{"the node is down", "po2", "po2", 1e9, faults(effect.Crash, [2]string{"lpar2"}), "Inactive", alone, alone},
	} {
		top, stores := load(t, "etherchannel")
		if err := stores["lpar2"].SetRunning("ent3", "mode", "8023ad"); err != nil {
			t.Fatal(err)
		}
		top.Switch.Ports[2].LAG, top.Switch.Ports[3].LAG = x.lag1, x.lag2
		_, node, _ := top.Node("lpar2")
		node.Adapter("ent1").LineRate = x.rate2
		got := effect.LACP(top, effect.Lookup{Stores: stores, Faults: x.faults}, "lpar2", "ent3")
		if got.Status != x.status || got.Ports["ent0"] != x.ent0 || got.Ports["ent1"] != x.ent1 {
			t.Errorf("%s: got %+v, want %s with %+v and %+v", x.name, got, x.status, x.ent0, x.ent1)
		}
	}
}

// Which ports of an EtherChannel carry frames, and what the switch does.
func TestLivePorts(t *testing.T) {
	top, stores := load(t, "etherchannel")
	down := func(ports ...string) effect.Lookup {
		f := effect.Faults{}
		for _, p := range ports {
			f[effect.Fault{Kind: effect.PortDown, At: [2]string{"lpar2", p}}] = 1
		}
		return effect.Lookup{Stores: stores, Faults: f}
	}
	check := func(name string, look effect.Lookup, want string, wantBackup bool) {
		t.Helper()
		ports, backup := effect.Live(top, look, "lpar2", "ent3")
		if got := strings.Join(ports, " "); got != want || backup != wantBackup {
			t.Errorf("%s: got %s, backup %v, want %s, %v", name, got, backup, want, wantBackup)
		}
	}
	check("whole", down(), "ent0 ent1", false)
	check("one down", down("ent0"), "ent1", false)
	check("both down", down("ent0", "ent1"), "ent2", true)
	check("all down", down("ent0", "ent1", "ent2"), "", false)
	if err := stores["lpar2"].SetRunning("ent3", "mode", "8023ad"); err != nil {
		t.Fatal(err)
	}
	check("aggregated at both ends", down(), "ent0 ent1", false)
	_, node, _ := top.Node("lpar2")
	node.Adapter("ent1").LineRate = 10e9
	check("of two speeds", down(), "ent0", false)
	check("of two speeds, the first one's cable is out", down("ent0"), "ent1", false)
	node.Adapter("ent1").LineRate = node.Adapter("ent0").LineRate
	for i := range top.Switch.Ports {
		if top.Switch.Ports[i].LAG == "po2" {
			top.Switch.Ports[i].LAG = ""
		}
	}
	check("the switch knows of no aggregate", down(), "ent0", false)
}

// faults are some of one kind.
func faults(kind effect.FaultKind, places ...[2]string) effect.Faults {
	f := effect.Faults{}
	for _, at := range places {
		f[effect.Fault{Kind: kind, At: at}] = 1
	}
	return f
}
