package node

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/lab/odm"
	"seaworthy/lab/wire"
)

// headEvery is after how many lines AIX repeats the headings of an interval.
const headEvery = 21

// netstatRate is netstat with an interval: a line of totals, then what came in
// each interval, for one interface and for all. The first interface is taken if
// none is named.
func (w *Simulator) netstatRate(ctx context.Context, c *call) error {
	t, err := timesOf(c.Rest)
	if err != nil {
		return err
	}
	names := w.attached(c.n)
	only := cmp.Or(c.Value("I"), names[0])
	if !slices.Contains(names, only) {
		return noSuchInterface(only)
	}
	row := func(s wire.Stats) string {
		return fmt.Sprintf("%8d %5d %8d %5d %5d", s.RxPackets, s.RxErrors, s.TxPackets, s.TxErrors, 0)
	}
	var before [2]wire.Stats
	for i := 0; t.count == 0 || i < t.count; i++ {
		if i > 0 && w.sleep(ctx, t.every) != nil {
			return exit(1)
		}
		all, err := w.netifs(c.n)
		if err != nil {
			return err
		}
		var now [2]wire.Stats // the interface, and all
		for _, x := range all {
			now[1].Add(x.stats)
			if x.name == only {
				now[0] = x.stats
			}
		}
		if i%headEvery == 0 {
			fmt.Fprintf(c.Stdout, "%19s %12s %20s %11s\n%8s %5s %8s %5s %5s %8s %5s %8s %5s %5s\n",
				fmt.Sprintf("input    (%s)", only), "output", "input   (Total)", "output",
				"packets", "errs", "packets", "errs", "colls", "packets", "errs", "packets", "errs", "colls")
		}
		fmt.Fprintf(c.Stdout, "%s %s\n", row(now[0].Since(before[0])), row(now[1].Since(before[1])))
		before = now
	}
	return nil
}

func noSuchInterface(name string) error { return fmt.Errorf("%s: no such interface", name) }

// notCounted is printed where AIX, or the kernel here, counts nothing.
const notCounted = "N/A"

// netstatDrops is netstat -D: packets in, out and dropped at every layer that
// they pass. Devices and their drivers are one here and counted once.
func (w *Simulator) netstatDrops(c *call) error {
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
		a := adapterOf(c.n, d.Name)
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
		device("ent_dev"+d.Name[len("ent"):], st)
	}
	line(15)
	device("Devices Total", devices)
	line(0)
	p, err := w.protocols(c.Node)
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
	list, err := w.netifs(c.n)
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
