package assemble

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
)

// sysfsFeed has what files of /sys and /proc say of network devices of Linux.
type sysfsFeed struct{ *hostBuilder }

var sysfsRows = []row{
	{"sys-class-net", feeds(2, sysfsFeed.sysNet)},
	{"proc-net-bonding", feeds(2, sysfsFeed.procBond)},
	{"irq-affinity", feeds(2, sysfsFeed.interrupts)},
}

// sysNet reads a device's files in /sys/class/net. They say what ip and
// ethtool say, where these are missing, and what neither says: the CPUs that
// receive, the pools of ibmveth.
func (b sysfsFeed) sysNet(o Output, f *linewise.FileLines) {
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

func (b sysfsFeed) file(e *model.Element, l linewise.FileLine, from model.Origin) {
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
		ethtoolFeed(b).speed(e, speed.FindStringSubmatch(l.Value+"Mb/s"))
	case l.Path == "carrier" && e.LinkUp == nil && zeroOne.MatchString(l.Value):
		e.LinkUp = new(l.Value == "1")
	case l.Path == "flags" && e.Up == nil:
		if n, err := strconv.ParseUint(l.Value, 0, 32); err == nil {
			e.Up = new(n&1 != 0) // IFF_UP
		}
	case l.Path == "device/uevent":
		if driver, ok := strings.CutPrefix(l.Value, "DRIVER="); ok && driver != "" {
			ethtoolFeed(b).drivenBy(e, driver)
		}
	case l.Path == "uevent":
		// DEVTYPE names what the kernel made: bond, bridge, vlan.
		if kind, ok := strings.CutPrefix(l.Value, "DEVTYPE="); ok && e.Driver == "" && made(kind) != model.Interface {
			e.Driver, e.Kind = kind, made(kind)
		}
	}
}

// procBond reads a bond and its ports.
func (b sysfsFeed) procBond(o Output, f *linewise.Bond) {
	if o.Element == "" {
		b.gap(o.Command, "the text does not name the bond: save it under a name with the bond's")
		return
	}
	e := b.element(o.Element, model.EtherChannel)
	e.Kind = model.EtherChannel
	if e.Driver == "" {
		e.Driver = "bonding"
	}
	if mode, ok := f.Mode(); ok {
		now(e, "bonding-mode", mode, search(o, "Bonding Mode:"))
		now(e, "fail_over_mac", f.FailOverMAC(), search(o, "Bonding Mode:"))
	}
	if status := linewise.BondWord(f.Fields, "MII Status"); status != "" && e.LinkUp == nil {
		e.LinkUp = new(status == "up")
	}
	for _, x := range f.Fields {
		if name := bondFields[x.Label]; name != "" {
			word, _, _ := strings.Cut(x.Value, " ")
			if word != "None" && word != "" {
				now(e, name, word, o.at(x.Line))
			}
		}
	}
	// The driver prints how often it asks by ARP only where it does.
	if linewise.BondWord(f.Fields, "MII Polling Interval (ms)") != "" && e.Attrs["arp_interval"] == nil {
		now(e, "arp_interval", "0", search(o, "MII Polling Interval"))
	}
	for _, p := range f.Ports {
		m := b.element(p.Name, model.Physical)
		m.MemberOf = o.Element
		if status := linewise.BondWord(p.Fields, "MII Status"); status != "" {
			m.LinkUp = new(status == "up")
		}
		if n := linewise.BondNumber(p.Fields, "Speed"); n != nil && *n > 0 && *n < 1e7 {
			m.SpeedMb = new(int64(*n))
		}
		if d := linewise.BondWord(p.Fields, "Duplex"); d == "full" || d == "half" {
			now(m, "duplex", d, search(o, "Duplex: "+d))
		}
		if n := linewise.BondNumber(p.Fields, "Link Failure Count"); n != nil {
			m.Counters = m.Counters.With(map[string]uint64{"link_failures": *n})
		}
	}
}

// interrupts counts a port's interrupts, and those that go to no CPU of the
// port's own NUMA node. A port without a node, as most of machines with a single
// one, has none of them off it.
func (b sysfsFeed) interrupts(o Output, f *linewise.FileLines) {
	if o.Element == "" {
		b.gap(o.Command, "which device it was asked about is not known")
		return
	}
	var near [][2]int
	irqs, off := 0, 0
	node, one := "", ""
	for _, l := range f.Below("/sys/class/net/" + o.Element + "/device") {
		switch l.Path {
		case "local_cpulist":
			near = ranges(l.Value)
		case "numa_node":
			node = l.Value
		}
	}
	for _, l := range f.Lines {
		cpus := ranges(l.Value)
		if !irqFile.MatchString(l.Path) || cpus == nil {
			continue
		}
		irqs++
		if irqs == 1 {
			one = l.Value
		} else if one != l.Value {
			one = several
		}
		overlap := func(c [2]int) bool {
			return slices.ContainsFunc(near, func(n [2]int) bool { return c[0] <= n[1] && n[0] <= c[1] })
		}
		if node != "-1" && !slices.ContainsFunc(cpus, overlap) {
			off++
		}
	}
	if irqs == 0 {
		return
	}
	e := b.element(o.Element, model.Interface)
	if strings.ContainsAny(one, "-,") {
		one = several
	}
	now(e, "irqs-cpu", one, o.says(strconv.Itoa(irqs)+" interrupts, on CPU: "+one))
	if near == nil || node == "" {
		return
	}
	from := o.says("node " + node + ": " + strconv.Itoa(off) + " of " + strconv.Itoa(irqs) +
		" interrupts go to CPUs of other nodes")
	now(e, "irqs", strconv.Itoa(irqs), from)
	now(e, "irqs-off-node", strconv.Itoa(off), from)
}

var irqFile = parse.Lazy(`^/proc/irq/[0-9]+/effective_affinity_list$`)

// several stands for the CPU that takes a port's interrupts where more than one does.
const several = "several"

// bondFields hold what /proc/net/bonding calls a bond's attributes.
var bondFields = map[string]string{
	"Transmit Hash Policy": "xmit_hash_policy", "LACP rate": "lacp_rate", "MII Polling Interval (ms)": "miimon",
	"ARP Polling Interval (ms)": "arp_interval", "Primary Slave": "primary", "Currently Active Slave": "active_slave",
	"Partner Mac Address": "ad_partner_mac", "Number of ports": "ad_num_ports",
}
