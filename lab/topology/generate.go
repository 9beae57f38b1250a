package topology

import (
	"fmt"
	"slices"
	"strings"
)

// Spec is a topology in numbers.
type Spec struct {
	Name    string
	Systems int
	LPARs   int    // of all systems together
	VIOSes  int    // likewise; two of a system make a pair
	VLANs   int    // 1 has no tag, the others up to this number are tagged
	HA      string // ha_mode of the pairs: auto, sharing or standby
	Ports   int    // physical ports of a VIOS; two and more are an EtherChannel
	Rate    string // of a port: 10G
	MTU     int    // of every interface; above 1500 all elements have jumbo frames
}

// Bounds of a Spec: addresses are 10.VLAN.0.0/16, an EtherChannel has at most
// eight ports, a partition number has three digits.
const (
	maxSystems = 100
	maxVLANs   = 200
	maxNodes   = 1000
)

func (s *Spec) check() error {
	for _, x := range []struct {
		what           string
		have, low, top int
	}{
		{"systems", s.Systems, 1, maxSystems}, {"LPARs", s.LPARs, 1, maxNodes * s.Systems}, {"VIOSes", s.VIOSes, s.Systems, 20 * s.Systems},
		{"VLANs", s.VLANs, 1, maxVLANs}, {"ports of a VIOS", s.Ports, 1, maxMembers}, {"MTU", s.MTU, 576, 9000},
	} {
		if x.have < x.low || x.have > x.top {
			why := ""
			if x.what == "VIOSes" && s.Systems > 1 {
				why = fmt.Sprintf(": one at least in each of %d systems", s.Systems)
			}
			return fmt.Errorf("generate a topology: %d %s, expected %d to %d%s", x.have, x.what, x.low, x.top, why)
		}
	}
	if modes := []string{"auto", "sharing", "standby"}; !slices.Contains(modes, s.HA) {
		return fmt.Errorf("generate a topology: ha %q, expected one of %s", s.HA, strings.Join(modes, ", "))
	}
	return nil
}

// Generate writes the text of a topology, in the form of the built-in ones.
// The VLANs of a system are divided among its pairs of VIOSes, those of a pair
// among as many trunk adapters as they need.
func Generate(s Spec) ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	g := &generator{Spec: s, hosts: map[int]int{}}
	var nodes strings.Builder
	for i := range s.Systems {
		fmt.Fprintf(&nodes, "  - name: cec%d\n    nodes:\n", i+1)
		vioses := share(s.VIOSes, s.Systems, i)
		pairs := (vioses + 1) / 2
		for v := range vioses {
			g.vios(&nodes, viosName(i, v, vioses), v, pairs, v%2 == 0 && v == vioses-1)
		}
		for range share(s.LPARs, s.Systems, i) {
			g.lpar(&nodes)
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# Systems: %d, LPARs: %d, VIOSes: %d, VLANs: %d.\nname: %s\nswitch:\n  name: sw1\n  ports:\n%ssystems:\n%s",
		s.Systems, s.LPARs, s.VIOSes, s.VLANs, s.Name, g.ports.String(), nodes.String())
	// What it wrote has to be what is read: limits of the reader hold, too.
	if _, err := Parse(s.Name+".yaml", []byte(out.String())); err != nil {
		return nil, fmt.Errorf("generate a topology: %w", err)
	}
	return []byte(out.String()), nil
}

// share is part i of n things among some.
func share(n, among, i int) int { return (n + among - 1 - i) / among }

func viosName(system, v, all int) string {
	if all == 1 {
		return fmt.Sprintf("vios%d", system+1)
	}
	return fmt.Sprintf("vios%d%c", system+1, 'a'+v)
}

// generator counts what it has given out.
type generator struct {
	Spec
	ports  strings.Builder
	used   int // ports of the switch
	lpars  int
	vioses int
	hosts  map[int]int // VLAN -> addresses
}

func (g *generator) lpar(out *strings.Builder) {
	vlan := g.lpars%g.VLANs + 1
	g.lpars++
	g.hosts[vlan]++
	n := g.hosts[vlan] + 10
	fmt.Fprintf(out, "      - name: lpar%d\n        role: lpar\n        adapters:\n          ent0: {kind: virtual, "+
		"pvid: %d}\n        interfaces:\n          en0: {address: 10.%d.%d.%d/16}\n",
		g.lpars, vlan, vlan, n/256, n%256)
	if g.MTU != 1500 {
		fmt.Fprintf(out, "        set:\n          en0: {mtu: %d}\n", g.MTU)
	}
}

// PVIDs that no client has.
const (
	unusedPVID  = 3000 // of trunk adapters that carry tagged VLANs only
	controlPVID = 4000 // of control channels
)

// vios writes VIOS v of its system; alone says that it has no partner.
func (g *generator) vios(out *strings.Builder, name string, v, pairs int, alone bool) {
	var set strings.Builder
	next := 0
	adapter := func(format string, args ...any) string {
		name := fmt.Sprintf("ent%d", next)
		next++
		fmt.Fprintf(out, "          %s: {%s}\n", name, fmt.Sprintf(format, args...))
		return name
	}
	attrs := func(adapter string, list ...string) {
		if len(list) > 0 {
			fmt.Fprintf(&set, "          %s: {%s}\n", adapter, strings.Join(list, ", "))
		}
	}
	fmt.Fprintf(out, "      - name: %s\n        role: vios\n        adapters:\n", name)
	real := g.outside(name, adapter, attrs)
	pair := v / 2
	var trunks []string
	for k, list := range g.trunks(pair, pairs) {
		pvid, tags := list[0], list[1:]
		if pvid != 1 {
			pvid, tags = unusedPVID+16*pair+k, list
		}
		keys := fmt.Sprintf("kind: virtual, pvid: %d", pvid)
		if len(tags) > 0 {
			keys += ", vlans: [" + strings.Trim(strings.ReplaceAll(fmt.Sprint(tags), " ", ", "), "[]") + "]"
		}
		trunks = append(trunks, adapter("%s, trunk: true, priority: %d", keys, v%2+1))
	}
	keys := fmt.Sprintf("kind: sea, real: %s, trunks: [%s]", real, strings.Join(trunks, ", "))
	on := []string{"largesend: 1", "large_receive: yes"}
	if !alone {
		keys += ", ctl_chan: " + adapter("kind: virtual, pvid: %d", controlPVID+pair)
		on = append([]string{"ha_mode: " + g.HA}, on...)
	}
	if g.MTU > 1500 {
		on = append(on, "jumbo_frames: yes")
	}
	sea := adapter("%s", keys)
	attrs(sea, on...)
	if pair == 0 { // only its SEA carries VLAN 1 untagged
		g.vioses++
		en := "en" + strings.TrimPrefix(sea, "ent")
		fmt.Fprintf(out, "        interfaces:\n          %s: {address: 10.1.255.%d/16}\n", en, g.vioses)
		if g.MTU != 1500 {
			attrs(en, fmt.Sprintf("mtu: %d", g.MTU))
		}
	}
	fmt.Fprintf(out, "        set:\n%s", set.String())
}

// outside writes the ports of a VIOS, and names what leads outside.
func (g *generator) outside(name string, adapter func(string, ...any) string, attrs func(string, ...string)) string {
	var members, jumbo []string
	if g.MTU > 1500 {
		jumbo = []string{"jumbo_frames: yes"}
	}
	for range g.Ports {
		g.used++
		lag := ""
		if g.Ports > 1 {
			lag = ", lag: po-" + name
		}
		fmt.Fprintf(&g.ports, "    sw1/%d: {mtu: %d, rate: %s%s}\n", g.used, max(g.MTU, 1500), g.Rate, lag)
		port := adapter("kind: physical, port: sw1/%d", g.used)
		attrs(port, jumbo...)
		members = append(members, port)
	}
	if g.Ports == 1 {
		return members[0]
	}
	channel := adapter("kind: etherchannel, members: [%s]", strings.Join(members, ", "))
	how := []string{"mode: 8023ad", "hash_mode: src_dst_port"}
	if g.MTU > 1500 {
		how = append(how, "use_jumbo_frame: yes")
	}
	attrs(channel, how...)
	return channel
}

// trunks divides the VLANs of a pair. Load sharing needs two trunk adapters.
func (g *generator) trunks(pair, pairs int) [][]int {
	var mine []int
	for vlan := 1; vlan <= g.VLANs; vlan++ {
		if (vlan-1)%pairs == pair {
			mine = append(mine, vlan)
		}
	}
	if len(mine) == 0 {
		mine = []int{unusedPVID + 512 + pair} // more pairs than VLANs: one to stand by
	}
	size := maxTags
	if g.HA == "sharing" && len(mine) > 1 {
		size = min(size, (len(mine)+1)/2)
	}
	var out [][]int
	for len(mine) > 0 {
		n := min(size, len(mine))
		out, mine = append(out, mine[:n]), mine[n:]
	}
	return out
}
