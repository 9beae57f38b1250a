package assemble

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
)

// sysNet reads a device's files in /sys/class/net. They say what ip and
// ethtool say, where these are missing, and what neither says: the CPUs that
// receive, the pools of ibmveth.
func (b *builder) sysNet(o Output, f *linewise.FileLines) {
	lines := f.Below("/sys/class/net/" + o.Element)
	if o.Element == "" || len(lines) == 0 {
		b.gap(o.Command, "no file of "+quoted(o.Element)+" in what it printed")
		return
	}
	if slices.ContainsFunc(lines, func(l linewise.FileLine) bool { return l.Path == "type" && l.Value != "1" && l.Value != "32" }) {
		return // neither Ethernet nor InfiniBand
	}
	b.links = true
	e := b.element(o.Element, model.Interface)
	pools := map[int]string{}
	for _, l := range lines {
		from := o.at(l.Number)
		b.file(e, l, from)
		if m := poolFile.FindStringSubmatch(l.Path); m != nil && whole10(l.Value) {
			n, _ := strconv.Atoi(m[1])
			pools[n] = l.Value
		}
	}
	if len(pools) == 5 {
		now(e, "ibmveth-pools", strings.Join([]string{pools[0], pools[1], pools[2], pools[3], pools[4]}, " "),
			o.says("device/pool*/num"))
	}
}

var (
	poolFile = parse.Lazy(`^device/pool([0-4])/num$`)
	rpsFile  = parse.Lazy(`^queues/rx-[0-9]+/rps_cpus$`)
	masks    = parse.Lazy(`^[0-9a-f,]+$`)
)

// sysFiles are the files whose value, in a form, is an attribute's; of some of bonding's it is the
// first word.
var sysFiles = map[string]struct {
	attr string
	form *parse.Pattern
}{
	"bonding/mode": {"bonding-mode", anyWord}, "bonding/xmit_hash_policy": {"xmit_hash_policy", anyWord},
	"bonding/lacp_rate": {"lacp_rate", anyWord}, "bonding/miimon": {"miimon", anyWord},
	"bonding/arp_interval": {"arp_interval", anyWord}, "bonding/primary": {"primary", anyWord},
	"bonding/active_slave": {"active_slave", anyWord}, "bonding/ad_partner_mac": {"ad_partner_mac", anyWord},
	"bonding/ad_num_ports": {"ad_num_ports", anyWord}, "duplex": {"duplex", parse.Lazy(`^(?:full|half)$`)},
	"mtu": {"mtu", digits}, "tx_queue_len": {"txqueuelen", digits}, "threaded": {"threaded", zeroOne},
	"gro_flush_timeout": {"gro_flush_timeout", digits}, "napi_defer_hard_irqs": {"napi_defer_hard_irqs", digits},
}

var (
	anyWord = parse.Lazy(`^[^ ]+`)
	digits  = parse.Lazy(`^[0-9]{1,18}$`)
	zeroOne = parse.Lazy(`^[01]$`)
)

func (b *builder) file(e *model.Element, l linewise.FileLine, from model.Origin) {
	if x := sysFiles[l.Path]; x.attr != "" {
		if m := x.form.FindStringSubmatch(l.Value); m != nil {
			now(e, x.attr, m[0], from)
		}
		return
	}
	name, isCounter := strings.CutPrefix(l.Path, "statistics/")
	switch {
	case isCounter || l.Path == "carrier_changes":
		if n, err := strconv.ParseUint(l.Value, 10, 64); err == nil {
			e.Counters = e.Counters.With(map[string]uint64{name: n})
		}
	case rpsFile.MatchString(l.Path) && masks.MatchString(l.Value):
		// The mask of the queue that is steered least: rps_cpus of a device says 0 as long as one
		// queue stays on its CPU.
		if e.Attrs["rps_cpus"] == nil || strings.Trim(l.Value, "0,") == "" {
			now(e, "rps_cpus", l.Value, from)
		}
	case l.Path == "address" && e.MAC == "":
		e.MAC = l.Value
	case l.Path == "speed":
		b.speed(e, speed.FindStringSubmatch(l.Value+"Mb/s"))
	case l.Path == "carrier" && e.LinkUp == nil && zeroOne.MatchString(l.Value):
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
		if kind, ok := strings.CutPrefix(l.Value, "DEVTYPE="); ok && e.Driver == "" && made(kind) != model.Interface {
			e.Driver, e.Kind = kind, made(kind)
		}
	}
}
