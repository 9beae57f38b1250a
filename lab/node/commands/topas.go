package commands

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

func topasCommand() command {
	both := &form{
		flags: "Ei:",
		usage: `topas -E [-i Interval]`,
	}
	return command{run: func(ctx context.Context, c *call) error { return topasCall{c}.run(ctx) }, aix: both, vios: both, local: topasScreen}
}

// topasCall is a call of topas.
type topasCall struct{ *call }

// run answers -E: it measures for one interval and prints the network as a tree: below
// an SEA the adapters it is built on, below an EtherChannel its ports. An SEA
// shows while its interface is up. On a terminal the caller repeats this.
func (c topasCall) run(ctx context.Context) error {
	interval := 2
	if v, ok := c.Get("i"); ok {
		var err error
		if interval, err = strconv.Atoi(v); err != nil || interval < 1 || interval > 3600 {
			return flags.Usagef("an interval is 1 to 3600 seconds")
		}
	}
	if !c.Has("E") {
		return flags.Usagef("of topas this lab has -E, the view of the network")
	}
	rows, err := c.rows()
	if err != nil {
		return err
	}
	before, at := c.read(rows), c.sim.Time()
	if err := c.sim.Wait(ctx, time.Duration(interval)*time.Second); err != nil {
		return err
	}
	after := c.read(rows)
	seconds := c.sim.Time().Sub(at).Seconds()
	fmt.Fprintf(c.Stdout, "Topas Monitor for host: %20s Interval: %3d   %s\n",
		c.Node, interval, c.sim.Clock(c.Node).Format("Mon Jan _2 15:04:05 2006"))
	rule := strings.Repeat("=", 79)
	fmt.Fprintf(c.Stdout, "%s\n%-36s %8s %8s %8s %8s %8s\n", rule, "Network", "KBPS", "I-Pack", "O-Pack", "KB-In", "KB-Out")
	for i, r := range rows {
		b, a := before[i], after[i]
		if b == nil || a == nil || seconds <= 0 || a.RxBytes < b.RxBytes || a.TxBytes < b.TxBytes {
			fmt.Fprintf(c.Stdout, "%-36s %8s %8s %8s %8s %8s\n", r.title, "-", "-", "-", "-", "-")
			continue
		}
		in, out := float64(a.RxBytes-b.RxBytes)/1024/seconds, float64(a.TxBytes-b.TxBytes)/1024/seconds
		fmt.Fprintf(c.Stdout, "%-36s %8.1f %8.1f %8.1f %8.1f %8.1f\n", r.title, in+out,
			float64(a.RxPackets-b.RxPackets)/seconds, float64(a.TxPackets-b.TxPackets)/seconds, in, out)
	}
	return nil
}

// treeRow is one line: a title, and the devices whose counters it adds up.
type treeRow struct {
	title string
	ends  []wire.End
}

// rows lists the SEAs with what they are built on, then the interfaces.
func (c topasCall) rows() ([]treeRow, error) {
	n := c.config
	var rows []treeRow
	below := map[string]bool{}
	for i := range n.Adapters {
		a := &n.Adapters[i]
		for _, m := range a.Holds() {
			below[m] = true
		}
		if a.Kind != topology.SEA {
			continue
		}
		link, err := c.sim.Link(node.End(n.Name, a.Name))
		if err != nil {
			return nil, err
		}
		if c.sim.Running(n.Name, "en"+strings.TrimPrefix(a.Name, "ent"), "state") != "up" || !link.Up {
			continue
		}
		// An SEA moves the frames that its adapters receive and send.
		sea := treeRow{title: a.Name + " (SEA)"}
		for _, m := range append([]string{a.Real}, a.Trunks...) {
			sea.ends = append(sea.ends, c.sim.Counters().Devices(n.Name, m)...)
		}
		rows = append(rows, sea)
		rows = append(rows, c.branches(n, a, "  ")...)
	}
	for _, d := range c.sim.Stores[n.Name].Devices() {
		if d.Name == "lo0" || d.Class == "if" && d.Status == odm.Available && !below[d.On] && !strings.HasPrefix(d.Name, "et") && d.Attached {
			rows = append(rows, treeRow{d.Name, []wire.End{node.End(n.Name, d.Name)}})
		}
	}
	return rows, nil
}

// branches are the lines below a device: its control channel, its real side
// with the ports of an EtherChannel below it, its trunks.
func (c topasCall) branches(n *topology.Node, over *topology.Adapter, indent string) []treeRow {
	var rows []treeRow
	members := over.Holds()
	if over.Control != "" {
		members = append([]string{over.Control}, members[:len(members)-1]...)
	}
	for i, m := range members {
		a := n.Adapter(m)
		mark, next := "|", "|  "
		if i == len(members)-1 {
			mark, next = " ", "   "
		}
		kind := "PHYS"
		switch {
		case a.Name == over.Control:
			kind = "VETH CTRL"
		case a.Kind == topology.Virtual:
			kind = "VETH"
		case a.Kind == topology.Channel:
			kind = "EC PHYS"
		case a.Name == over.Backup:
			kind = "BACKUP"
		case over.Kind == topology.Channel:
			kind = "PRIM"
		}
		rows = append(rows, treeRow{fmt.Sprintf(`%s%s\--%s (%s)`, indent, mark, m, kind), c.sim.Counters().Devices(n.Name, m)})
		if a.Kind == topology.Channel {
			rows = append(rows, c.branches(n, a, indent+next)...)
		}
	}
	return rows
}

// read reads the counters of every row; nil where they cannot be read.
func (c topasCall) read(rows []treeRow) []*wire.Stats {
	out := make([]*wire.Stats, len(rows))
	for i, r := range rows {
		if sum, err := c.sim.Counters().Sum(r.ends); err == nil {
			out[i] = &sum
		}
	}
	return out
}
