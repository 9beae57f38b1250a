package topology

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestGenerate(t *testing.T) {
	small := Spec{Name: "g", Systems: 2, LPARs: 5, VIOSes: 4, VLANs: 1, HA: "auto", Ports: 1, Rate: "10G", MTU: 1500}
	for _, x := range []struct {
		name   string
		change func(*Spec)
		trunks int // of the first VIOS
	}{
		{"small", func(*Spec) {}, 1},
		{"large", func(s *Spec) { s.LPARs, s.VLANs = 200, 20 }, 1},
		{"more VLANs than an adapter carries", func(s *Spec) { s.VLANs = 50 }, 3},
		{"sharing", func(s *Spec) { s.VLANs, s.HA = 5, "sharing" }, 2},
		{"three VIOSes in a system", func(s *Spec) { s.Systems, s.VIOSes, s.VLANs = 1, 3, 4 }, 1},
		{"more pairs than VLANs", func(s *Spec) { s.Systems, s.VIOSes = 1, 6 }, 1},
		{"jumbo on EtherChannels", func(s *Spec) { s.Ports, s.MTU = 4, 9000 }, 1},
		{"many partitions", func(s *Spec) { s.Systems, s.VIOSes, s.LPARs = 1, 2, 900 }, 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := small
			x.change(&s)
			text, err := Generate(s)
			if err != nil {
				t.Fatal(err)
			}
			top, err := Parse("g.yaml", text)
			if err != nil {
				t.Fatal(err)
			}
			if got := trunksOf(top); got != x.trunks {
				t.Errorf("got %d trunk adapters, want %d", got, x.trunks)
			}
			checkGenerated(t, top, s)
		})
	}
}

func trunksOf(top *Topology) int {
	for _, a := range top.Systems[0].Nodes[0].Adapters {
		if a.Kind == SEA {
			return len(a.Trunks)
		}
	}
	return 0
}

// checkGenerated counts, and sees that every LPAR's VLAN leads outside by one
// pair of VIOSes.
func checkGenerated(t *testing.T, top *Topology, s Spec) {
	t.Helper()
	lpars, vioses := 0, 0
	used := map[int]bool{}
	for _, sys := range top.Systems {
		ways := map[int][]string{} // VLAN -> VIOSes
		for _, n := range sys.Nodes {
			for _, a := range n.Adapters {
				if a.Trunk {
					for _, vlan := range a.Carries() {
						ways[vlan] = append(ways[vlan], n.Name)
					}
				}
			}
			if n.Role == VIOS {
				vioses++
			}
		}
		for _, n := range sys.Nodes {
			if n.Role != LPAR {
				continue
			}
			lpars++
			vlan := n.Adapters[0].PVID
			used[vlan] = true
			if w := ways[vlan]; len(w) == 0 || len(w) > 2 {
				t.Errorf("%s: VLAN %d leads outside by %v, want one VIOS or a pair", n.Name, vlan, w)
			}
			if got, want := n.Interfaces[0].Address.String(), fmt.Sprintf("10.%d.", vlan); !strings.HasPrefix(got, want) {
				t.Errorf("%s: got address %s, want it in %s", n.Name, got, want)
			}
		}
	}
	if lpars != s.LPARs || vioses != s.VIOSes || len(used) != min(s.VLANs, s.LPARs) {
		t.Errorf("got %d LPARs, %d VIOSes, %d VLANs in use, want %d, %d, %d", lpars, vioses, len(used), s.LPARs, s.VIOSes, min(s.VLANs, s.LPARs))
	}
	if got := slices.MaxFunc(top.Switch.Ports, func(a, b Port) int { return a.MTU - b.MTU }); got.MTU != s.MTU {
		t.Errorf("switch ports pass %d, want %d", got.MTU, s.MTU)
	}
}

func TestGenerateErrors(t *testing.T) {
	for want, change := range map[string]func(*Spec){
		"0 LPARs":   func(s *Spec) { s.LPARs = 0 },
		"0 systems": func(s *Spec) { s.Systems = 0 },
		"expected 2 to 40: one at least in each of 2": func(s *Spec) { s.VIOSes = 1 },
		"201 VLANs":              func(s *Spec) { s.VLANs = 201 },
		"9001 MTU":               func(s *Spec) { s.MTU = 9001 },
		`name "Big"`:             func(s *Spec) { s.Name = "Big" },
		`"fast", expected bit/s`: func(s *Spec) { s.Rate = "fast" },
		`ha "maybe"`:             func(s *Spec) { s.HA = "maybe" },
	} {
		s := Spec{Name: "g", Systems: 2, LPARs: 5, VIOSes: 4, VLANs: 1, HA: "auto", Ports: 1, Rate: "10G", MTU: 1500}
		change(&s)
		if _, err := Generate(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want %q", s, err, want)
		}
	}
}
