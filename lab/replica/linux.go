package replica

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/topology"
)

// ethernetMTU is that of a device which nothing was set on.
const ethernetMTU = 1500

// linuxBuilder lays out a Linux host, whose settings its own commands make.
type linuxBuilder struct{ *builder }

// bond adds a bond, or one port in its place where this machine's kernel makes no bonds.
func (b linuxBuilder) bond(h *model.Host, n *nodeFile, name string) {
	e, what := h.Elements[name], h.Name+":"+name
	switch {
	case len(e.Members) == 0:
		b.add(LeftOut, what, "its ports were not read")
		return
	case !linuxAdapter.MatchString(name):
		b.add(LeftOut, what, linuxNames)
		return
	}
	for _, m := range e.Members {
		if n.Adapters[m].Kind != string(topology.Physical) {
			b.add(LeftOut, what, "%s below it is not in the copy", m)
			return
		}
	}
	mode, _, _ := strings.Cut(bondingMode(e), " ")
	if b.options.NoBonding {
		b.inPlaceOfBond(h, n, name, mode)
		return
	}
	a := adapterFile{Kind: string(topology.Bond), Members: e.Members, Mode: topology.ActiveBackup}
	switch mode {
	case topology.LACP:
		a.Mode = topology.LACP
		b.aggregate(what, n, e.Members)
	case topology.ActiveBackup:
	case "":
		b.add(Assumed, what, "its mode was not read: %s", topology.ActiveBackup)
	default:
		b.add(StandsIn, what, "mode %q: a lab's bonds are active-backup or 802.3ad", mode)
	}
	n.Adapters[name] = a
}

// bondingMode is the mode of a bond, as the kernel names it; empty: it was not read.
func bondingMode(e *model.Element) string { return e.Attrs["bonding-mode"].Current() }

// inPlaceOfBond adds a port in the place of a bond: as fast as its ports together where it sends by all of them.
func (b linuxBuilder) inPlaceOfBond(h *model.Host, n *nodeFile, name, mode string) {
	e, what := h.Elements[name], h.Name+":"+name
	kept := n.Adapters[e.Members[0]].Port
	p, sum := b.file.Switch.Ports[kept], uint64(0)
	for _, m := range e.Members {
		port := n.Adapters[m].Port
		sum += b.file.Switch.Ports[port].Rate
		delete(b.macs, n.Adapters[m].MAC)
		delete(n.Adapters, m)
		b.forget(h.Name + ":" + m)
		if port != kept {
			delete(b.file.Switch.Ports, port)
		}
	}
	if mode != topology.ActiveBackup && mode != "" {
		p.Rate = min(sum, fastestMb*1_000_000)
	}
	b.file.Switch.Ports[kept] = p
	n.Adapters[name] = adapterFile{Kind: string(topology.Physical), Port: kept, MAC: b.mac(what, e.MAC)}
	b.add(StandsIn, what, "this machine's kernel has no bonding driver: one port in place of its ports %s, without the settings of a bond",
		strings.Join(e.Members, ", "))
}

// linuxVLAN adds a port, or a virtual adapter, that has the VLAN of a VLAN device as its own: few machines let users have 802.1Q.
func (b linuxBuilder) linuxVLAN(h *model.Host, n *nodeFile, name string) {
	e, what := h.Elements[name], h.Name+":"+name
	base, built := n.Adapters[e.On]
	switch {
	case e.On == "" || len(e.VLANs) != 1 || e.VLANs[0] < 1 || e.VLANs[0] > 4094:
		b.add(LeftOut, what, "its VLAN or the device below it was not read")
		return
	case !linuxAdapter.MatchString(name):
		b.add(LeftOut, what, linuxNames)
		return
	case !built || h.Elements[e.On].Kind == model.VLANDevice:
		b.add(LeftOut, what, "%s below it is not in the copy, or a VLAN device itself", e.On)
		return
	}
	tag := e.VLANs[0]
	if base.Kind == string(topology.Virtual) {
		n.Adapters[name] = adapterFile{Kind: base.Kind, PVID: tag}
		b.add(StandsIn, what, "a virtual adapter of its own with port VLAN %d: a lab's %s sends no tags", tag, e.On)
		return
	}
	port := base.Port
	if base.Kind == string(topology.Bond) {
		port = n.Adapters[base.Members[0]].Port
	}
	p := b.file.Switch.Ports[port]
	p.LAG, p.VLAN = "", tag
	n.Adapters[name] = adapterFile{Kind: string(topology.Physical), Port: b.newPort(p)}
	b.add(StandsIn, what, "a port of its own in VLAN %d, as fast as %s: a lab's Linux hosts send no tags", tag, e.On)
}

// asMade are settings of Linux devices that a lab's have as the kernel makes them, and with no other value.
var asMade = map[string]string{
	"lro": "off", "rx-gro-hw": "off", "hw-tc-offload": "off", "sg": "on", "duplex": "full", "txqueuelen": "1000",
	"arp_interval": "0", "fail_over_mac": "none", "gro_flush_timeout": "0", "napi_defer_hard_irqs": "0", "threaded": "0",
	"gso_max_segs": "65535", "gso_max_size": "65536",
}

// ofDrivers are settings of a real adapter's driver.
var ofDrivers = []string{
	"adaptive-rx", "channels", "coalescing", "combined-channels", "gro_flush_timeout", "hw-tc-offload", "ibmveth-pools", "irqs",
	"irqs-cpu", "irqs-off-node", "lro", "napi_defer_hard_irqs", "pause", "rings", "rps_cpus", "rss-queues", "rx-channels", "rx-gro-hw",
	"threaded",
}

// ofBonds are settings of a bond that say what it does now.
var ofBonds = []string{"active_slave", "ad_num_ports", "ad_partner_mac"}

// bondSettings are those that a bond has and a port has not.
var bondSettings = []string{"bonding-mode", "lacp_rate", "miimon", "primary", "xmit_hash_policy"}

// linuxCompared counts what became of a Linux host's settings.
type linuxCompared struct {
	read     int
	shared   []string // the lab has them as this machine does
	hardware []string // a virtual cable has none
}

// linuxSettings adds the settings of a Linux host that a lab's have, and counts the others.
func (b linuxBuilder) linuxSettings(h *model.Host, n *nodeFile) {
	var c linuxCompared
	for _, device := range slices.Sorted(maps.Keys(n.Adapters)) {
		e := h.Elements[device]
		for _, name := range slices.Sorted(maps.Keys(e.Attrs)) {
			c.device(n, device, name, e.Attrs[name].Current())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(h.Tunables)) {
		value := strings.Join(strings.Fields(h.Tunables[name].Current()), " ")
		if !topology.TakesSysctl(name, value) {
			c.shared = append(c.shared, name)
			continue
		}
		if n.Sysctls == nil {
			n.Sysctls = map[string]string{}
		}
		n.Sysctls[name] = value
		c.read++
	}
	n.settings = c.read
	if len(c.hardware) > 0 {
		b.add(LeftOut, h.Name, "settings of drivers (%d), since a lab's ports are virtual cables without rings, queues, interrupts and "+
			"pause frames: %s", len(c.hardware), someOf(c.hardware))
	}
	if len(c.shared) > 0 {
		b.add(LeftOut, h.Name, "settings that a Linux host of the lab has as this machine does (%d): %s", len(c.shared), someOf(c.shared))
	}
}

// device takes one setting of a device.
func (c *linuxCompared) device(n *nodeFile, device, name, value string) {
	a := n.Adapters[device]
	switch {
	case slices.Contains(ofBonds, name), a.Kind != string(topology.Bond) && slices.Contains(bondSettings, name):
		return // a port in place of a bond is said to have none
	case asMade[name] == value && value != "", name == "bonding-mode" && value == a.Mode:
		c.read++
	case slices.Contains(ofDrivers, name):
		c.hardware = append(c.hardware, device+" "+name)
	case topology.TakesLinux(name, value):
		if value != "on" && value != strconv.Itoa(ethernetMTU) {
			n.Set = put(n.Set, device, name, value)
		}
		c.read++
	case a.Kind == string(topology.Bond) && topology.TakesBond(a.Mode, name, value):
		n.Set = put(n.Set, device, name, value)
		c.read++
	default:
		c.shared = append(c.shared, device+" "+name)
	}
}
