package assemble

import (
	"strconv"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/linux/ovsvsctl"
)

// openVSwitchFeed has the bridges of Open vSwitch.
type openVSwitchFeed struct{ *hostBuilder }

var openVSwitchRows = []row{
	{"ovs-vsctl-list ovs-vsctl-show", feeds(5, openVSwitchFeed.openVSwitch)},
}

// openVSwitch reads the bridges of Open vSwitch, whose ports ip shows as those of one
// device, ovs-system. A bridge is the device of its name.
func (b openVSwitchFeed) openVSwitch(_ Output, s *ovsvsctl.Switch) {
	for _, x := range s.Bridges {
		if x.Name == "" {
			continue
		}
		bridge := b.element(x.Name, model.Interface)
		bridge.Driver, bridge.MemberOf = model.OpenVSwitch, ""
		if s.Config != nil {
			offload := s.Config["hw-offload"]
			from := model.Origin{Command: "ovs-vsctl list Open_vSwitch", Text: "other_config: hw-offload=" + offload}
			now(bridge, "hw-offload", strconv.FormatBool(offload == "true"), from)
		}
		for _, p := range x.Ports {
			b.port(x.Name, p)
		}
	}
}

// port joins the devices of a port to its bridge; several are a bond.
func (b openVSwitchFeed) port(bridge string, p *ovsvsctl.Port) {
	owner := bridge
	if len(p.Interfaces) > 1 && p.Name != "" && p.Name != bridge {
		e := b.element(p.Name, model.EtherChannel)
		e.Kind, e.Driver, e.MemberOf = model.EtherChannel, model.OpenVSwitch, bridge
		for name, v := range map[string]string{"ovs-bond-mode": p.BondMode, "ovs-lacp": p.LACP} {
			if v != "" {
				now(e, name, v, model.Origin{Command: "ovs-vsctl list Port", Text: p.Name + ": " + name + " " + v})
			}
		}
		tagged(e, p)
		owner = p.Name
	}
	for _, i := range p.Interfaces {
		e := b.switched(i)
		if e == nil || i.Name == owner {
			continue
		}
		e.MemberOf = owner
		if owner == bridge {
			tagged(e, p)
		}
	}
}

func tagged(e *model.Element, p *ovsvsctl.Port) {
	valid := func(n int) bool { return n >= 0 && n < 4096 }
	if p.Tag != nil && valid(*p.Tag) {
		e.PVID = p.Tag
	}
	e.VLANs = nil // an output may say again what another said
	for _, n := range p.Trunks {
		if valid(n) {
			e.VLANs = append(e.VLANs, n)
		}
	}
}

// switched finds or makes the device of an interface; nil if there is none: the database
// keeps what the kernel no longer has.
func (b openVSwitchFeed) switched(i *ovsvsctl.Interface) *model.Element {
	e := b.host.Elements[i.Name]
	switch i.Type {
	case "", "system", "internal", "tap":
		if e == nil && !b.links && i.Name != "" {
			e = b.element(i.Name, model.Interface)
		}
		return e
	case "patch":
		e = b.element(i.Name, model.Patch)
		e.Driver, e.Peer = model.OpenVSwitch, i.Peer
		return e
	case "dpdk":
		e = b.element(i.Name, model.Physical)
		e.Driver = i.Type
		if i.Speed != nil && *i.Speed >= 1e6 {
			e.SpeedMb = new(int64(*i.Speed / 1e6))
		}
	case "dpdkvhostuser", "dpdkvhostuserclient":
		e = b.element(i.Name, model.Interface)
		e.Driver = model.OpenVSwitch
	default:
		if tunnels[i.Type] == 0 || i.Remote == "" || i.Remote == "flow" {
			return nil
		}
		e = b.element(i.Name, model.TunnelPort)
		e.Driver = model.OpenVSwitch
		netdevFeed(b).tunnel(e, i.Type, i.Remote, model.Origin{Command: "ovs-vsctl list Interface"})
	}
	e.LinkUp, e.Up = i.Up, i.Up
	if i.MTU != nil {
		mtu := strconv.Itoa(*i.MTU)
		now(e, "mtu", mtu, model.Origin{Command: "ovs-vsctl list Interface", Text: i.Name + ": mtu " + mtu})
	}
	return e
}
