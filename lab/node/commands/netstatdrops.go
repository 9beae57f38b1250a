package commands

import (
	"fmt"
	"strings"

	"seaworthy/lab/node"
	"seaworthy/lab/odm"
	"seaworthy/lab/wire"
)

// notCounted is printed where AIX, or the kernel here, counts nothing.
const notCounted = "N/A"

// drops is netstat -D: packets in, out and dropped at every layer that
// they pass. Devices and their drivers are one here and counted once.
func (c netstatCall) drops() error {
	const rule = 79
	row := func(name string, in, out, inDropped, outDropped any) {
		fmt.Fprintf(c.Stdout, "%-19s%17v%21v%11v%11v\n", name, in, out, inDropped, outDropped)
	}
	device := func(name string, s wire.Stats) { row(name, s.RxPackets, s.TxPackets, s.RxDropped, s.TxDropped) }
	line := func(from int) { fmt.Fprintln(c.Stdout, strings.Repeat(" ", from)+strings.Repeat("-", rule-from)) }
	row("Source", "Ipkts", "Opkts", "Idrops", "Odrops")
	line(0)
	var devices, all wire.Stats
	for _, d := range c.db.Devices() {
		a := node.AdapterOf(c.config, d.Name)
		if d.Class != "adapter" || d.Status != odm.Available || a == nil {
			continue
		}
		st, err := c.sim.Counters().Adapter(c.Node, a.Name)
		if err != nil {
			return err
		}
		if counts, err := c.sim.ReceiveBuffers().Read(c.Node, a); err == nil && counts != nil {
			st.RxDropped += counts.Refused()
		}
		devices.Add(st)
		device("ent_dev"+d.Name[len("ent"):], st)
	}
	line(15)
	device("Devices Total", devices)
	line(0)
	p, err := c.sim.Counters().Protocols(c.Node)
	if err != nil {
		return err
	}
	of := func(keys ...string) any {
		if n, ok := sum(p, keys); ok {
			return n
		}
		return notCounted
	}
	row("IP", of("Ip.InReceives"), of("Ip.OutRequests"), of("Ip.InDiscards"), of("Ip.OutDiscards"))
	row("TCP", of("Tcp.InSegs"), of("Tcp.OutSegs", "Tcp.RetransSegs"), of("Tcp.InErrs"), notCounted)
	row("UDP", of("Udp.InDatagrams"), of("Udp.OutDatagrams"), of("Udp.InErrors"), notCounted)
	line(0)
	list, err := c.interfaces().all()
	if err != nil {
		return err
	}
	for _, i := range list {
		all.Add(i.stats)
		device(strings.TrimRight(i.name, "0123456789")+"_if"+strings.TrimLeft(i.name, "enlo"), i.stats)
	}
	line(15)
	device("Net IF Total", all)
	line(0)
	return nil
}
