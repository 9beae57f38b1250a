package assemble

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/parse/linux/iplink"
	"seaworthy/internal/parse/linux/qdisc"
)

// netdevFeed makes elements of the network devices of Linux, and of what stands on what.
type netdevFeed struct{ *hostBuilder }

var netdevRows = []row{
	{"ip-link", feeds(0, netdevFeed.ipLink)},
	{"ip-brief", feeds(0, netdevFeed.ipLink)},
	{"ip-addr ip-addr-text", feeds(1, netdevFeed.ipLink)},
	{"ifconfig-linux netstat-i-linux", feeds(0, netdevFeed.netTools)},
	{"tc-qdisc", feeds(3, netdevFeed.disciplines)},
	{"bridge-fdb", feeds(5, netdevFeed.learned)},
}

// Linux has one device where AIX has an interface and an adapter: a netdev
// holds the addresses and is the port. Its kind is that of the port, so that
// it is followed down the path; what is neither port, bond nor VLAN is an
// interface.

// made derives the kind of a device that the kernel made, by the kind ip names.
func made(kind string) model.Kind {
	switch kind {
	case "bond", "team":
		return model.EtherChannel
	case "vlan":
		return model.VLANDevice
	}
	return model.Interface
}

// driven derives the kind of a port from its driver.
func driven(driver string) model.Kind {
	if slices.Contains(model.GuestDrivers, driver) {
		return model.Interface
	}
	switch driver {
	case "ibmveth":
		return model.Virtual
	case "ibmvnic":
		return model.VNIC
	case "bonding", "team":
		return model.EtherChannel
	case "802.1Q VLAN Support":
		return model.VLANDevice
	case "veth", "tun", "bridge", "dummy", "macvlan", "openvswitch", "wireguard":
		return model.Interface
	}
	return model.Physical
}

// ipLink reads ip -j -d link and ip -j -d addr: the second prints what the
// first does, and the addresses.
func (b netdevFeed) ipLink(o Output, l *iplink.Links) {
	for _, x := range l.Links {
		switch {
		case x.Name == "" || !ether(x.Type):
		case x.Brief():
			b.brief(x)
		case x.AddressesOnly():
			if x.Name != "lo" {
				b.addresses(b.element(x.Name, model.Interface), x)
			}
		default:
			b.netdev(o, x)
		}
		b.links = b.links || !x.AddressesOnly()
	}
}

// brief takes what ip -br addr says of a device: a device that is down itself and one without a carrier look alike.
func (b netdevFeed) brief(x *iplink.Link) {
	if x.Name == "lo" {
		return
	}
	e := b.element(x.Name, model.Interface)
	if x.State == "UP" {
		e.Up, e.LinkUp = new(true), new(true)
	}
	if x.State == "LOWERLAYERDOWN" {
		e.Up, e.LinkUp = new(true), new(false)
	}
	if x.Addresses != nil {
		b.addresses(e, x)
	}
}

// netTools reads ifconfig and netstat -i, which know nothing of what a device is part of: where ip was
// read as well, it says more.
func (b netdevFeed) netTools(o Output, l *iplink.Links) {
	for _, x := range l.Links {
		if ether(x.Type) && x.MTU != "" {
			b.netdev(o, x)
		}
	}
}

// ether reports whether a device of that link type can carry a path: a loopback
// cannot.
func ether(kind string) bool {
	return slices.Contains([]string{"", "ether", "infiniband", "none"}, kind)
}

func (b netdevFeed) netdev(o Output, x *iplink.Link) {
	e := b.element(x.Name, model.Interface)
	from := model.Origin{Command: o.Command, Line: max(x.Line, 1)}
	if i := x.Info; i != nil && i.Kind != "" {
		e.Kind = made(i.Kind)
		if e.Driver == "" {
			e.Driver = i.Kind
		}
		if i.Data != nil {
			b.made(e, i, from)
		}
	}
	e.Flags = x.Flags
	e.Up = new(x.Has("UP"))
	if *e.Up { // the kernel knows the carrier only of a device that is up
		e.LinkUp = new(x.Has("LOWER_UP"))
	}
	e.MAC = cmp.Or(x.MAC, e.MAC)
	if e.Location == "" {
		e.Location = x.BusDevice
	}
	e.MemberOf = cmp.Or(x.Master, e.MemberOf)
	if c := x.Counted.Counters(); len(c) > 0 {
		e.Counters = e.Counters.With(c)
	}
	if e.Kind == model.VLANDevice || x.Base != "" {
		e.On, _, _ = strings.Cut(x.Base, "@")
	}
	if x.MTU != "" {
		from.Text = fmt.Sprintf("%s: mtu %s", x.Name, x.MTU)
		a := now(e, "mtu", string(x.MTU), from)
		// A largest MTU of 0 says that the driver sets no bound.
		if x.MinMTU != "" && x.MaxMTU != "" && x.MaxMTU != "0" {
			a.Allowed = []string{fmt.Sprintf("%s...%s (+1)", x.MinMTU, x.MaxMTU)}
		}
	}
	for attribute, n := range map[string]iplink.Number{
		"gso_max_size": x.GSOSize, "gso_max_segs": x.GSOSegs, "tso_max_size": x.TSOSize, "tso_max_segs": x.TSOSegs, "txqueuelen": x.TxQueue,
	} {
		if n != "" {
			word := attribute
			if attribute == "txqueuelen" {
				word = "txqlen"
			}
			from.Text = fmt.Sprintf("%s: %s %s", x.Name, word, n)
			now(e, attribute, string(n), from)
		}
	}
	b.addresses(e, x)
}

// addresses takes those of a device that reach beyond the link.
func (b netdevFeed) addresses(e *model.Element, x *iplink.Link) {
	for _, a := range x.Addresses {
		addr, err := netip.ParseAddr(a.Local)
		if err != nil || a.Scope == "link" || a.Scope == "host" || a.Prefix < 0 || a.Prefix > addr.BitLen() {
			continue
		}
		interfaceFeed(b).address(e, netip.PrefixFrom(addr, a.Prefix))
	}
}

// learned reads whose frames a bridge takes from its tap devices: where nothing else names
// their virtual machines, that does.
func (b netdevFeed) learned(_ Output, t *linewise.ForwardingTable) {
	for _, x := range t.Entries {
		if e := b.host.Elements[x.Device]; e != nil && e.Driver == "tun" && x.Learned() {
			e.Learned = append(e.Learned, x.MAC)
		}
	}
}

// ofDevice is the device that tc was asked about, whose lines then do not name it.
var ofDevice = parse.Lazy(` dev (\S+)`)

// cableNames are the names of devices that lead to a container or a virtual machine.
var cableNames = parse.Lazy(`^(?:veth|tap|vnet|cali|lxc)`)

// portNames are names that Linux gives to ports.
var portNames = parse.Lazy(`^(?:eth[0-9]|em[0-9]|p[0-9]+p[0-9]|ib[0-9]|en[opsx][0-9a-f])[0-9a-z]*$`)

// disciplines reads what the queueing discipline of each device that another output
// names dropped and holds back; that of several queues counts for all of them. One that
// limits a container or a virtual machine is enough to know the device, and so is a port's name.
func (b netdevFeed) disciplines(o Output, t *qdisc.Table) {
	for _, d := range t.Disciplines {
		device := cmp.Or(d.Device, o.Element)
		if m := ofDevice.FindStringSubmatch(o.Command); device == "" && m != nil {
			device = m[1]
		}
		e := b.host.Elements[device]
		if e == nil && (limits(d) && cableNames.MatchString(device) || portNames.MatchString(device)) {
			e = b.element(device, model.Interface)
		}
		if e == nil {
			continue
		}
		shaped(e, d, model.Origin{Command: "tc -s qdisc"})
		arriving := d.Kind == "ingress" || d.Kind == "clsact"
		if d.Root && d.Packets != nil { // one for what arrives, of which nothing is said, counts from 0 once it is set
			e.Counters = e.Counters.With(map[string]uint64{"qdisc_ingress_drops": 0, "qdisc_ingress_packets": 0})
		}
		if !d.Root && !arriving || d.Kind == "noqueue" || d.Dropped == nil || d.Packets == nil {
			continue
		}
		name := "qdisc_"
		if arriving {
			name = "qdisc_ingress_"
		}
		e.Counters = e.Counters.With(map[string]uint64{name + "drops": *d.Dropped, name + "packets": *d.Packets})
	}
}

// made takes what ip says of a bond, a VLAN or a tunnel.
func (b netdevFeed) made(e *model.Element, i *iplink.Info, from model.Origin) {
	d := i.Data
	if id, err := strconv.Atoi(string(d.VLAN)); err == nil && e.Kind == model.VLANDevice && id < 4096 {
		e.VLANs = []int{id}
	}
	if tunnels[i.Kind] > 0 && (d.Link != "" || d.Remote+d.Remote6 != "") {
		e.On = string(d.Link)
		b.tunnel(e, i.Kind, string(cmp.Or(d.Remote6, d.Remote)), from)
	}
	if i.Kind != "bond" {
		return
	}
	set := func(name, value string) {
		if value != "" {
			from.Text = e.Name + ": " + name + " " + value
			now(e, name, value, from)
		}
	}
	set("bonding-mode", d.Mode)
	set("xmit_hash_policy", d.Hash)
	set("lacp_rate", d.LACPRate)
	set("miimon", string(d.MIIMon))
	set("fail_over_mac", d.MAC)
	more := map[string]string{"arp_interval": string(d.ARP), "primary": string(d.Primary), "active_slave": string(d.Active)}
	if d.LACP != nil {
		more["ad_partner_mac"], more["ad_num_ports"] = string(d.LACP.Partner), string(d.LACP.Ports)
	}
	for name, value := range more {
		if e.Attrs[name] == nil { // else the bonding driver's own files said it
			set(name, value)
		}
	}
}

// now sets the running value of a Linux setting. The next boot's comes from the
// distribution's own configuration: see bootFiles.
func now(e *model.Element, name, value string, from model.Origin) *model.Attr {
	a := attr(e.Attrs, name)
	a.Running = &value
	if !slices.ContainsFunc(a.From, func(x model.Origin) bool { return x.Text == from.Text }) {
		a.From = append(a.From, from)
	}
	return a
}

// idle devices that every kernel makes by itself and nobody uses would only
// hide the others.
var idleKinds = []string{"dummy", "ifb", "nlmon", "sit", "gre", "gretap", "erspan", "ipip", "ip6tnl", "ip6gre", "ip_vti", "ip6_vti",
	"vti", "tunl", "bond", "team"}

// netdevs joins the devices of a Linux host after all outputs are read.
func (b netdevFeed) netdevs() {
	h := b.host
	carries := map[string]bool{} // other devices are built on these
	for _, e := range h.Elements {
		carries[e.On], carries[e.MemberOf] = true, true
	}
	for name, e := range h.Elements {
		if slices.Contains(idleKinds, e.Driver) && e.Up != nil && !*e.Up && len(e.Addrs) == 0 && e.MemberOf == "" && !carries[name] {
			delete(h.Elements, name)
		}
	}
	for _, e := range h.Elements {
		if e.Kind == model.Interface && e.Driver == "" && (e.Up == nil && isPort(e) || countsAsPort(e)) {
			e.Kind = model.Physical
		}
	}
	for name, e := range h.Elements {
		if owner := h.Elements[e.MemberOf]; owner != nil {
			owner.Members = append(owner.Members, name)
		}
	}
	for name, e := range h.Elements {
		// What ip prints there is the other end of the cable, which may be in a container.
		if other := h.Elements[e.On]; e.Driver == "veth" && other != nil && other.Driver == "veth" && (other.On == name || other.Peer == name) {
			e.Peer = e.On
		}
		if e.Driver == "veth" {
			e.On = ""
		}
		if e.Kind == model.Virtual || e.Driver == "tun" {
			e.SpeedMb = nil // nominal
		}
		slices.SortFunc(e.Members, model.Natural)
		e.Members = slices.Compact(e.Members)
	}
}

// countsAsPort reports whether a device whose driver was not read counted what only ports can: ip prints some of these
// counters for every device, with zeros.
func countsAsPort(e *model.Element) bool {
	if e.On != "" || madeNames.MatchString(e.Name) {
		return false
	}
	for name, n := range e.Counters.All() {
		if n > 0 && portCounters.MatchString(name) {
			return true
		}
	}
	return false
}

// madeNames are the names that programs give to devices that are no ports.
var madeNames = parse.Lazy(`^(?:lo|veth|tap|tun|vnet|docker|virbr|br|bond|team|dummy|vxlan|cali|ppp|wg|gre|sit|ovs|ifb)|\.|@`)

// portCounters are parts of the names of counters that only ports have: of the cable, of receive buffers and queues, of a
// cloud's allowances.
var portCounters = parse.Lazy(`pause|xoff|(?:crc|fcs)_err|missed|out_of_buffer|rx_queue_[0-9]|allowance_exceeded|^interrupts$`)

// isPort reports whether a device of which neither ip nor the driver was read is a port: its speed is known, or its
// counters are those of a cable or of receive buffers.
func isPort(e *model.Element) bool {
	if madeNames.MatchString(e.Name) {
		return false
	}
	if e.SpeedMb != nil {
		return true
	}
	for name := range e.Counters.All() {
		if portCounters.MatchString(name) {
			return true
		}
	}
	return false
}

// tunnels are the bytes that a tunnel puts before the packets it carries, at least: the
// Ethernet header of the inner frame, its own, and those of UDP and IPv4 (RFC 7348,
// RFC 8926, RFC 2784). gre is Open vSwitch's word for what ip calls gretap.
var tunnels = map[string]int{"vxlan": 14 + 8 + 8 + 20, "geneve": 14 + 8 + 8 + 20, "gretap": 14 + 4 + 20, "gre": 14 + 4 + 20}

// tunnel takes what a tunnel adds to its packets, and where they go.
func (b netdevFeed) tunnel(e *model.Element, kind, remote string, from model.Origin) {
	to, _ := netip.ParseAddr(remote)
	n := tunnels[kind]
	if to.Is6() {
		n += 20
	}
	b.tunnels[e.Name] = to
	from.Text = e.Name + ": " + kind
	if to.IsValid() {
		from.Text += " to " + to.String()
	}
	from.Text += fmt.Sprintf(" adds %d bytes", n)
	now(e, "tunnel-overhead", strconv.Itoa(n), from)
}

// underlays finds the devices by which the packets of tunnels leave that name none: by
// the routes, when all of them are read.
func (b netdevFeed) underlays() {
	for name, to := range b.tunnels {
		if e := b.host.Elements[name]; e != nil && e.On == "" && to.IsValid() {
			if r := b.host.Route(to); r != nil && r.Interface != name {
				e.On = r.Interface
			}
		}
	}
}

// unknownKinds reports the adapters whose kind is unknown.
func (b netdevFeed) unknownKinds() {
	for _, name := range slices.SortedFunc(maps.Keys(b.host.Elements), model.Natural) {
		if b.host.Elements[name].Kind == model.Adapter {
			b.gap(name, "adapter kind unknown: neither lsdev nor entstat nor its attributes show it")
		}
	}
}
