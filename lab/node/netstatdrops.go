package node

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/lab/odm"
	"seaworthy/lab/wire"
)

// notCounted is printed where AIX, or the kernel here, counts nothing.
const notCounted = "N/A"

// netstatDrops is netstat -D: packets in, out and dropped at every layer that
// they pass. Devices and their drivers are one here and counted once.
func (w *Simulator) netstatDrops(c *Call) error {
	_, n := w.node(c.Node)
	const rule = 79
	row := func(name, in, out, inDropped, outDropped string) {
		fmt.Fprintf(c.Stdout, "%-19s%17s%21s%11s%11s\n", name, in, out, inDropped, outDropped)
	}
	num := func(v uint64) string { return strconv.FormatUint(v, 10) }
	line := func(from int) {
		fmt.Fprintln(c.Stdout, strings.Repeat(" ", from)+strings.Repeat("-", rule-from))
	}
	row("Source", "Ipkts", "Opkts", "Idrops", "Odrops")
	line(0)
	var devices wire.Stats
	for _, d := range w.Stores[c.Node].Devices() {
		a := adapterOf(n, d.Name)
		if d.Class != "adapter" || d.Status != odm.Available || a == nil {
			continue
		}
		st, err := w.counters(c.Node, a.Name)
		if err != nil {
			return err
		}
		if counts, err := w.buffered(c.Node, a); err == nil && counts != nil {
			st.RxDropped += counts.Refused()
		}
		devices.Add(st)
		row("ent_dev"+d.Name[len("ent"):], num(st.RxPackets), num(st.TxPackets), num(st.RxDropped), num(st.TxDropped))
	}
	line(15)
	row("Devices Total", num(devices.RxPackets), num(devices.TxPackets), num(devices.RxDropped), num(devices.TxDropped))
	line(0)
	p, err := w.protocols(c.Node)
	if err != nil {
		return err
	}
	of := func(keys ...string) string {
		n, ok := sum(p, keys)
		if !ok {
			return notCounted
		}
		return num(n)
	}
	row("IP", of("Ip.InReceives"), of("Ip.OutRequests"), of("Ip.InDiscards"), of("Ip.OutDiscards"))
	row("TCP", of("Tcp.InSegs"), of("Tcp.OutSegs", "Tcp.RetransSegs"), of("Tcp.InErrs"), notCounted)
	row("UDP", of("Udp.InDatagrams"), of("Udp.OutDatagrams"), of("Udp.InErrors"), notCounted)
	line(0)
	var all wire.Stats
	for _, name := range append(w.attached(n), "lo0") {
		one, _, err := w.interfaceSum(n, name)
		if err != nil {
			return err
		}
		all.Add(one)
		row(strings.TrimRight(name, "0123456789")+"_if"+strings.TrimLeft(name, "enlo"),
			num(one.RxPackets), num(one.TxPackets), num(one.RxDropped), num(one.TxDropped))
	}
	line(15)
	row("Net IF Total", num(all.RxPackets), num(all.TxPackets), num(all.RxDropped), num(all.TxDropped))
	line(0)
	return nil
}
