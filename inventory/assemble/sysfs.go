package assemble

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/linux/sysfs"
	"seaworthy/inventory"
)

// sysNet reads a device's files in /sys/class/net. They say what ip and
// ethtool say, where these are missing, and what neither says: the CPUs that
// receive, the pools of ibmveth.
func (b *builder) sysNet(o Output, f *sysfs.Files) {
	lines := f.Below("/sys/class/net/" + o.Element)
	if o.Element == "" || len(lines) == 0 {
		b.gap(o.Command, "no file of "+quoted(o.Element)+" in what it printed")
		return
	}
	if slices.ContainsFunc(lines, func(l sysfs.Line) bool { return l.Path == "type" && l.Value != "1" && l.Value != "32" }) {
		return // neither Ethernet nor InfiniBand
	}
	b.links = true
	e := b.element(o.Element, inventory.Interface)
	pools := map[int]string{}
	for _, l := range lines {
		from := at(o, l.Number, line(o, l.Number))
		b.file(e, l, from)
		if m := poolFile.FindStringSubmatch(l.Path); m != nil && whole10(l.Value) {
			n, _ := strconv.Atoi(m[1])
			pools[n] = l.Value
		}
	}
	if len(pools) == 5 {
		now(e, "ibmveth-pools", strings.Join([]string{pools[0], pools[1], pools[2], pools[3], pools[4]}, " "),
			inventory.Origin{Command: o.Command, Text: "device/pool*/num"})
	}
}

var (
	poolFile = dialect.Lazy(`^device/pool([0-4])/num$`)
	rpsFile  = dialect.Lazy(`^queues/rx-[0-9]+/rps_cpus$`)
	masks    = dialect.Lazy(`^[0-9a-f,]+$`)
)

// bonding are the bonding driver's files: a name and, of some, its number.
var bonding = map[string]string{
	"bonding/mode": "bonding-mode", "bonding/xmit_hash_policy": "xmit_hash_policy", "bonding/lacp_rate": "lacp_rate",
	"bonding/miimon": "miimon", "bonding/arp_interval": "arp_interval", "bonding/primary": "primary",
	"bonding/active_slave": "active_slave", "bonding/ad_partner_mac": "ad_partner_mac", "bonding/ad_num_ports": "ad_num_ports",
}

func (b *builder) file(e *inventory.Element, l sysfs.Line, from inventory.Origin) {
	name, isCounter := strings.CutPrefix(l.Path, "statistics/")
	switch {
	case isCounter:
		if n, err := strconv.ParseUint(l.Value, 10, 64); err == nil {
			e.Counters = e.Counters.With(map[string]uint64{name: n})
		}
	case l.Path == "carrier_changes":
		if n, err := strconv.ParseUint(l.Value, 10, 32); err == nil {
			e.Counters = e.Counters.With(map[string]uint64{l.Path: n})
		}
	case l.Path == "duplex" && (l.Value == "full" || l.Value == "half"):
		now(e, "duplex", l.Value, from)
	case rpsFile.MatchString(l.Path) && masks.MatchString(l.Value):
		b.steering(e, l.Value, from)
	case bonding[l.Path] != "" && l.Value != "":
		value, _, _ := strings.Cut(l.Value, " ")
		now(e, bonding[l.Path], value, from)
	case l.Path == "address" && e.MAC == "":
		e.MAC = l.Value
	case l.Path == "mtu" && whole10(l.Value):
		now(e, "mtu", l.Value, from)
	case l.Path == "tx_queue_len" && whole10(l.Value):
		now(e, "txqueuelen", l.Value, from)
	case l.Path == "threaded" && (l.Value == "0" || l.Value == "1"):
		now(e, "threaded", l.Value, from)
	case (l.Path == "gro_flush_timeout" || l.Path == "napi_defer_hard_irqs") && whole10(l.Value):
		now(e, l.Path, l.Value, from)
	case l.Path == "speed":
		b.speed(e, speed.FindStringSubmatch(l.Value+"Mb/s"))
	case l.Path == "carrier" && e.LinkUp == nil && (l.Value == "0" || l.Value == "1"):
		e.LinkUp = new(l.Value == "1")
	case l.Path == "flags" && e.Up == nil:
		if n, err := strconv.ParseUint(l.Value, 0, 32); err == nil {
			e.Up = new(n&1 != 0) // IFF_UP
		}
	case l.Path == "device/uevent":
		if driver, ok := strings.CutPrefix(l.Value, "DRIVER="); ok && driver != "" {
			b.drivenBy(e, driver)
		}
	case l.Path == "uevent":
		// DEVTYPE names what the kernel made: bond, bridge, vlan.
		if kind, ok := strings.CutPrefix(l.Value, "DEVTYPE="); ok && e.Driver == "" && made(kind) != inventory.Interface {
			e.Driver, e.Kind = kind, made(kind)
		}
	}
}

// steering keeps the mask of the queue that is steered least: rps_cpus of a
// device says 0 as long as one queue stays on its CPU.
func (b *builder) steering(e *inventory.Element, mask string, from inventory.Origin) {
	a := e.Attrs["rps_cpus"]
	if a == nil || strings.Trim(mask, "0,") == "" {
		now(e, "rps_cpus", mask, from)
	}
}
