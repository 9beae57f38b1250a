package assemble

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
)

var irqFile = parse.Lazy(`^/proc/irq/[0-9]+/effective_affinity_list$`)

// several stands for the CPU that takes a port's interrupts where more than one does.
const several = "several"

// interrupts counts a port's interrupts, and those that go to no CPU of the
// port's own NUMA node. A port without a node, as most of machines with a single
// one, has none of them off it.
func (b *builder) interrupts(o Output, f *linewise.FileLines) {
	if o.Element == "" {
		b.gap(o.Command, "which device it was asked about is not known")
		return
	}
	var near [][2]int
	irqs, off, node, one := 0, 0, "", ""
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

// bondFields are what /proc/net/bonding calls a bond's attributes.
var bondFields = map[string]string{
	"Transmit Hash Policy": "xmit_hash_policy", "LACP rate": "lacp_rate", "MII Polling Interval (ms)": "miimon",
	"ARP Polling Interval (ms)": "arp_interval", "Primary Slave": "primary", "Currently Active Slave": "active_slave",
	"Partner Mac Address": "ad_partner_mac", "Number of ports": "ad_num_ports",
}

// procBond reads a bond and its ports.
func (b *builder) procBond(o Output, f *linewise.Bond) {
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
	}
	for _, x := range f.Fields {
		if name := bondFields[x.Label]; name != "" {
			word, _, _ := strings.Cut(x.Value, " ")
			if word != "None" && word != "" {
				now(e, name, word, o.at(x.Line))
			}
		}
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
