package node

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
	"seaworthy/lab/topology"
)

// statistics of one adapter, under the name that was asked for.
func (w *Simulator) statistics(n *topology.Node, device string, detail bool) (*printing.Adapter, error) {
	a := adapterOf(n, device)
	if a == nil || !strings.HasPrefix(device, "en") {
		return nil, errNoAdapter
	}
	d, ok := w.Stores[n.Name].Device(a.Name)
	if !ok || d.Status != odm.Available {
		return nil, errNoAdapter
	}
	b := &statBuilder{w: w, n: n, a: a, d: d, s: &printing.Adapter{Head: printing.Head{Name: device}}}
	err := b.head()
	switch {
	case err != nil || !detail:
	case a.Kind == topology.Virtual:
		b.virtual()
	case a.Kind == topology.Physical:
		b.physical()
	case a.Kind == topology.Channel:
		err = b.channel()
	case a.Kind == topology.SEA:
		err = b.sea()
	case a.Kind == topology.VLAN:
		b.s.VLAN = &printing.VLAN{Tag: a.Tag, Base: a.Base}
	}
	return b.s, err
}

var hashNames = map[string]string{
	"default": "Destination IP address", "src_port": "Source TCP/UDP port",
	"dst_port": "Destination TCP/UDP port", "src_dst_port": "Source and destination TCP/UDP ports",
}

// channel is the EtherChannel's own part and its ports.
func (b *statBuilder) channel() error {
	b.w.changing.Lock()
	_, backup := effect.Live(b.w.Plan(), b.w.look(), b.n.Name, b.a.Name)
	lacp := effect.LACP(b.w.Plan(), b.w.look(), b.n.Name, b.a.Name)
	b.w.changing.Unlock()
	ports := uint64(len(b.a.Members))
	v := &entstat.Channel{Primary: &ports, Backup: new(uint64(len(b.a.Holds())) - ports), Active: "primary channel",
		OperatingMode: "Standard mode", HashMode: hashNames[b.running("hash_mode")]}
	if backup {
		v.Active = "backup channel"
	}
	switch b.running("mode") {
	case "round_robin":
		v.OperatingMode = "Round-robin mode"
	case "8023ad":
		v.OperatingMode, v.Aggregation = "Standard mode (IEEE 802.3ad)", lacp.Status
	}
	b.s.Channel = v
	for _, m := range b.a.Holds() {
		role := entstat.Role("")
		if m == b.a.Backup {
			role = entstat.BackupAdapter
		}
		s, err := b.member(role, m)
		if err != nil {
			return err
		}
		if p, member := lacp.Ports[m]; member && v.Aggregation != "" {
			s.LACP = b.lacp(m, p)
		}
	}
	return nil
}

// sea is the SEA's own part and the adapters in it, each with its own counters.
func (b *statBuilder) sea() error {
	v := &entstat.Bridge{Adapters: new(uint64(1 + len(b.a.Trunks))), Flags: []string{}, VLANs: []entstat.TrunkVLANs{}}
	for _, attr := range []string{"thread", "largesend", "jumbo_frames", "gvrp", "large_receive", "accounting"} {
		if slices.Contains([]string{"1", "yes", "enabled"}, b.running(attr)) {
			v.Flags = append(v.Flags, strings.ToUpper(attr))
		}
	}
	if len(v.Flags) == 0 {
		v.FlagWord = "00000000" // without it nobody knows that there are none
	}
	for _, t := range b.a.Trunks {
		v.VLANs = append(v.VLANs, entstat.TrunkVLANs{Adapter: t, IDs: b.n.Adapter(t).Carries()})
	}
	var err error
	if v.Real, err = b.side(b.a.Real); err != nil {
		return err
	}
	if v.Virtual, err = b.side(b.a.Trunks...); err != nil {
		return err
	}
	v.HA = b.highAvailability()
	b.s.Bridge = v
	for i, m := range append([]string{b.a.Real}, b.a.Trunks...) {
		role := entstat.VirtualAdapter
		if i == 0 {
			role = entstat.RealAdapter
		}
		if _, err := b.member(role, m); err != nil {
			return err
		}
	}
	return nil
}

func (b *statBuilder) member(role entstat.Role, name string) (*printing.Adapter, error) {
	s, err := b.w.statistics(b.n, name, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.Role = role
	b.s.Members = append(b.s.Members, s)
	return s, nil
}

func (b *statBuilder) side(adapters ...string) (map[string]uint64, error) {
	sum := map[string]uint64{}
	for _, a := range adapters {
		st, err := b.w.counters(b.n.Name, a)
		if err != nil {
			return nil, err
		}
		sum["Packets received"] += st.RxPackets
		sum["Packets transmitted"] += st.TxPackets
		sum["Packets dropped"] += st.RxDropped + st.TxDropped
	}
	return sum, nil
}
