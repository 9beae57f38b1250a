package replica

import (
	"cmp"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/lab/topology"
)

// Rates that stand in where a port's speed was not read.
const usualRate = 10_000_000_000

// Largest IP packets in bytes that a switch port of a lab can be set to pass.
const (
	leastMTU = 576
	mostMTU  = 9216
	jumboMTU = 9000
)

// passedPorts are the largest packets that were seen to pass each port, by host:element.
func passedPorts(f *model.Fleet, seen []Passed) map[string]int {
	g, out := graph.Of(f), map[string]int{}
	for _, x := range seen {
		path, err := g.Path(x.From.String(), x.To.String())
		if err != nil {
			continue
		}
		for _, hop := range path.Hops {
			if hop.Ref != nil && hop.Kind == string(model.Physical) {
				out[hop.Ref.String()] = max(out[hop.Ref.String()], x.Bytes)
			}
		}
	}
	return out
}

// fastestMb is the fastest port that a lab has, in Mbit/s.
const fastestMb = 1_000_000

var (
	aixAdapter   = regexp.MustCompile(`^ent(0|[1-9][0-9]{0,2})$`)
	linuxAdapter = regexp.MustCompile(`^[a-z][a-z0-9]{0,9}(\.[0-9]{1,4})?$`)
)

// linuxNames says which devices linuxAdapter takes.
const linuxNames = "a lab's device has at most 10 small letters and digits, and a VLAN behind a dot"

// adapters are those of a host with AIX or VIOS.
func (b *builder) adapters(h *model.Host, n *nodeFile) {
	for _, kind := range []model.Kind{model.Physical, model.Adapter, model.VNIC, model.Virtual} {
		for _, name := range h.Names(kind) {
			b.port(h, n, name)
		}
	}
	for _, kind := range []model.Kind{model.EtherChannel, model.SEA, model.VLANDevice} {
		for _, name := range h.Names(kind) {
			b.stacked(h, n, name)
		}
	}
}

// port adds an adapter that stands on no other.
func (b *builder) port(h *model.Host, n *nodeFile, name string) {
	e, what := h.Elements[name], h.Name+":"+name
	switch {
	case !aixAdapter.MatchString(name):
		b.add(LeftOut, what, "a lab's adapters are called entN")
		return
	case e.State == "Defined":
		b.add(LeftOut, what, "it is Defined, not Available")
		return
	case e.Kind == model.Virtual:
		b.virtual(h, n, name)
		return
	case e.Kind == model.Adapter:
		b.add(StandsIn, what, "no output says what it is: a physical port")
	case e.Kind == model.VNIC:
		b.add(StandsIn, what, "a lab has no vNIC: a physical port of its speed")
	case e.Capacity != nil:
		b.add(StandsIn, what, "a lab has no SR-IOV: a physical port of its speed, of its own")
	}
	jumbo := e.Attrs["jumbo_frames"].Current() == "yes"
	n.Adapters[name] = adapterFile{Kind: string(topology.Physical), Port: b.cable(what, e, jumbo), MAC: b.mac(what, e.MAC)}
}

// cable adds a port of the Ethernet switch for a host's port.
func (b *builder) cable(what string, e *model.Element, jumbo bool) string {
	p := portFile{MTU: 1500, Rate: usualRate}
	if e.SpeedMb != nil && *e.SpeedMb >= 10 && *e.SpeedMb <= fastestMb {
		p.Rate = uint64(*e.SpeedMb) * 1_000_000
	} else {
		b.add(Assumed, what, "its speed was not read: 10 Gbit/s")
	}
	switch {
	case b.options.SwitchMTU > 0:
		p.MTU = b.options.SwitchMTU
		b.add(Assumed, what, "its switch port passes packets of %d bytes, as asked for", p.MTU)
	case b.passed[what] >= ethernetMTU && (!jumbo || b.passed[what] >= jumboMTU):
		p.MTU = min(max(b.passed[what], leastMTU), mostMTU)
		b.add(AsRead, what, "its switch port passes packets of %d bytes: they were seen to pass", p.MTU)
	case jumbo:
		p.MTU = jumboMTU
		b.add(Assumed, what, "its switch port passes packets of 9000 bytes, since it takes jumbo frames itself")
	default:
		b.add(Assumed, what, "its switch port passes packets of 1500 bytes")
	}
	return b.newPort(p)
}

// newPort adds a port to the Ethernet switch, and gives its name.
func (b *builder) newPort(p portFile) string {
	b.ports++
	name := fmt.Sprintf("sw1/%d", b.ports)
	b.file.Switch.Ports[name] = p
	return name
}

// mac is an adapter's address, unless another adapter of the copy has it.
func (b *builder) mac(what, mac string) string {
	hw, err := net.ParseMAC(mac)
	if err != nil || len(hw) != 6 || hw[0]&1 == 1 || strings.Trim(mac, "0:") == "" {
		return ""
	}
	mac = hw.String()
	if by := b.macs[mac]; by != "" {
		b.add(Assumed, what, "an address of its own: %s is that of %s", mac, by)
		return ""
	}
	b.macs[mac] = what
	return mac
}

// virtual adds a virtual Ethernet adapter.
func (b *builder) virtual(h *model.Host, n *nodeFile, name string) {
	e, what := h.Elements[name], h.Name+":"+name
	if first := vswitch(h); e.VSwitch != "" && e.VSwitch != first {
		b.add(LeftOut, what, "it is on hypervisor switch %s: a managed system of the lab has one, here %s", e.VSwitch, first)
		return
	}
	a := adapterFile{Kind: string(topology.Virtual), MAC: b.mac(what, e.MAC)}
	if e.PVID != nil && *e.PVID >= 1 && *e.PVID <= 4094 {
		a.PVID = *e.PVID
	} else {
		b.add(Assumed, what, "its port VLAN was not read: 1")
		a.PVID = 1
	}
	if n.OS != topology.Linux {
		for _, v := range e.VLANs {
			if v != a.PVID && v >= 1 && v <= 4094 && !slices.Contains(a.VLANs, v) {
				a.VLANs = append(a.VLANs, v)
			}
		}
		slices.Sort(a.VLANs)
		a.Trunk = e.Trunk != nil && *e.Trunk
	}
	if a.Trunk {
		a.Priority = 1
		if e.Priority != nil && *e.Priority >= 1 && *e.Priority <= 15 {
			a.Priority = *e.Priority
		} else {
			b.add(Assumed, what, "its trunk priority was not read: 1")
		}
	}
	n.Adapters[name] = a
}

// stacked adds what stands on other adapters of the host.
func (b *builder) stacked(h *model.Host, n *nodeFile, name string) {
	e, what := h.Elements[name], h.Name+":"+name
	if !aixAdapter.MatchString(name) {
		b.add(LeftOut, what, "a lab's adapters are called entN")
		return
	}
	a, below := adapterFile{}, []string{}
	switch e.Kind {
	case model.EtherChannel:
		backup := e.Backup()
		a = adapterFile{Kind: string(topology.Channel), Backup: backup}
		for _, m := range e.Members {
			if m != backup {
				a.Members = append(a.Members, m)
			}
		}
		below = slices.Clone(a.Members)
		if backup != "" {
			below = append(below, backup)
		}
		if len(a.Members) == 0 {
			b.add(LeftOut, what, "its members were not read")
			return
		}
	case model.SEA:
		a = adapterFile{Kind: string(topology.SEA), Real: e.Real, Trunks: e.Trunks, Control: e.Control}
		below = append([]string{e.Real}, e.Trunks...)
		if e.Control != "" {
			below = append(below, e.Control)
		}
	case model.VLANDevice:
		if len(e.VLANs) == 0 || e.On == "" {
			b.add(LeftOut, what, "its VLAN or the adapter below it was not read")
			return
		}
		a = adapterFile{Kind: string(topology.VLAN), Base: e.On, Tag: e.VLANs[0]}
		below = []string{e.On}
	}
	for _, name := range below {
		if _, built := n.Adapters[name]; !built {
			b.add(LeftOut, what, "%s below it is not in the copy", cmp.Or(name, "the adapter"))
			return
		}
		if by := holder(n, name); by != "" {
			b.add(LeftOut, what, "%s below it belongs to %s, too", name, by)
			return
		}
	}
	if e.Kind == model.EtherChannel && len(a.Members) > 1 && aggregates(e) {
		b.aggregate(what, n, a.Members)
	}
	n.Adapters[name] = a
}

// aggregates says whether an EtherChannel sends by all its members, which takes a switch that aggregates their ports.
func aggregates(e *model.Element) bool {
	return slices.Contains([]string{"8023ad", "standard", "round_robin"}, e.Attrs["mode"].Current())
}

// holder is the adapter of the copy that keeps another for itself; empty: none.
func holder(n *nodeFile, name string) string {
	for by, a := range n.Adapters {
		if a.Kind != string(topology.VLAN) && slices.Contains(a.below(), name) {
			return by
		}
	}
	return ""
}

// aggregate joins the switch's ports of an EtherChannel's members.
func (b *builder) aggregate(what string, n *nodeFile, members []string) {
	b.lags++
	for _, m := range members {
		name := n.Adapters[m].Port
		p, cabled := b.file.Switch.Ports[name]
		if !cabled {
			continue
		}
		p.LAG = fmt.Sprintf("po%d", b.lags)
		b.file.Switch.Ports[name] = p
	}
	by := partner(b.fleet, what, members)
	if by != "" {
		b.add(AsRead, what, "the switch aggregates its ports: %s is their LACP partner", by)
		return
	}
	b.add(Assumed, what, "the switch aggregates its ports")
}

// partner is the LACP partner that all members of an EtherChannel or bond name; empty: none was read, or they differ.
func partner(f *model.Fleet, what string, members []string) string {
	host, _, _ := strings.Cut(what, ":")
	h, found := f.Host(host), ""
	if h == nil {
		return ""
	}
	for _, m := range members {
		e := h.Elements[m]
		if e == nil {
			return ""
		}
		system := e.Attrs["partner_system"].Current()
		if bond := h.Elements[e.MemberOf]; system == "" && bond != nil {
			system = bond.Attrs["ad_partner_mac"].Current() // of Linux
		}
		if strings.Trim(system, "0:-") == "" || found != "" && system != found {
			return ""
		}
		found = system
	}
	return found
}

// linuxAdapters are those of a Linux host.
func (b linuxBuilder) linuxAdapters(h *model.Host, n *nodeFile) {
	for _, kind := range []model.Kind{model.Physical, model.Interface, model.Adapter, model.VNIC, model.Virtual} {
		for _, name := range h.Names(kind) {
			e, what := h.Elements[name], h.Name+":"+name
			switch {
			case name == "lo" || e.Kind == model.Interface && (e.On != "" || strings.Trim(e.MAC, "0:") == ""):
			case !linuxAdapter.MatchString(name):
				b.add(LeftOut, what, linuxNames)
			case e.Kind == model.Virtual:
				b.virtual(h, n, name)
			default:
				if e.Kind != model.Physical {
					b.add(StandsIn, what, "a physical port")
				}
				mtu, _ := strconv.Atoi(e.Attrs["mtu"].Current())
				n.Adapters[name] = adapterFile{Kind: string(topology.Physical), Port: b.cable(what, e, mtu > ethernetMTU), MAC: b.mac(what, e.MAC)}
			}
		}
	}
	for _, name := range h.Names(model.EtherChannel) {
		b.bond(h, n, name)
	}
	for _, name := range h.Names(model.VLANDevice) {
		b.linuxVLAN(h, n, name)
	}
	for _, kind := range []model.Kind{model.Patch, model.TunnelPort} {
		for _, name := range h.Names(kind) {
			b.add(LeftOut, h.Name+":"+name, "a lab's Linux hosts have ports, bonds and VLAN devices")
		}
	}
	b.linuxSettings(h, n)
}
