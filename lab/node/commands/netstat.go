package commands

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"

	netstatinterfaces "seaworthy/internal/parse/aix/netstat/interfaces"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

func netstatCommand() command {
	return command{
		run: func(ctx context.Context, c *call) error { return netstatCall{c}.run(ctx) },
		aix: &form{
			flags:    "inrsvaDdmogI:p:f:cAZCtPu",
			operands: anyNumber,
			usage: `netstat [-a] [-n]
netstat -i [-n] [-I Interface]
netstat [-I Interface] Interval [Count]
netstat -r [-n]
netstat -s [-p Protocol]
netstat -p Protocol
netstat -m
netstat -v [Device]...
netstat -D`,
			refused: map[string]string{
				"c":    "memory for packets is the machine's, no node has statistics of its own",
				"Agou": "control blocks, multicast groups, socket options and local sockets are not shown",
				"Z":    "entstat -r lets an adapter's counters begin at zero, a restart all of a node",
				"CPt":  "the kernel has no costs of routes, data link streams and timers to show",
			},
		},
		vios: &form{
			flags: "-num -state -routtable -routinfo -cdlistats -stats:",
			usage: `netstat -state [-num]
netstat -routtable [-num]
netstat -stats Protocol
netstat -cdlistats`,
		},
	}
}

// netstatCall is a call of netstat, with a method for each of its tables.
type netstatCall struct{ *call }

func (c netstatCall) run(ctx context.Context) error {
	aixFlags := map[string]string{"num": "n", "state": "i", "routtable": "r", "routinfo": "r", "cdlistats": "v", "stats": "p"}
	for i, x := range c.List {
		c.List[i].Name = cmp.Or(aixFlags[x.Name], x.Name)
	}
	switch {
	case c.Has("v") && !c.VIOS:
		return c.adapters()
	case len(c.Rest) > 0 && (c.VIOS || c.Has("r") || c.Has("s") || c.Has("p") || c.Has("a") || c.Has("D")):
		return flags.TooMany(c.Rest)
	case len(c.Rest) > 0:
		return c.rate(ctx)
	case c.Has("D"):
		return c.drops()
	case c.Has("r"):
		return c.routes()
	case c.Has("s") || c.Has("p"):
		return c.protocols()
	case c.Has("v"):
		return c.adapters()
	case c.Has("m"):
		return c.mbufs()
	case c.Has("i") || c.Has("I"):
		return c.interfaceTable()
	case c.VIOS:
		return flags.Usagef("one of its flags is required")
	}
	return c.sockets()
}

// mbufs is netstat -m. The memory for packets is the machine's: a node has no mbufs of its own, and refuses none.
func (c netstatCall) mbufs() error {
	_, err := fmt.Fprint(c.Stdout, "Kernel malloc statistics:\n\n******* CPU 0 *******\n"+
		"By size           inuse     calls failed   delayed    free   hiwat   freed\n"+
		"256                   0         0      0         0       0       0       0\n"+
		"2048                  0         0      0         0       0       0       0\n")
	return err
}

// adapters is netstat -v: entstat -d of every adapter, or of those named.
func (c netstatCall) adapters() error {
	names := c.Rest
	for _, d := range c.db.Devices() {
		if d.Class == "adapter" && d.Status == odm.Available && len(c.Rest) == 0 {
			names = append(names, d.Name)
		}
	}
	return printStatistics(c.call, names, true)
}

// interfaceTable is netstat -in: a row for the link and one per address.
func (c netstatCall) interfaceTable() error {
	all, err := c.interfaces().all()
	if err != nil {
		return err
	}
	t, only := &netstatinterfaces.Table{}, c.Value("I")
	for k, i := range all {
		if only != "" && i.name != only {
			continue
		}
		add := func(network, address string) {
			t.Rows = append(t.Rows, &netstatinterfaces.Row{Name: i.name, MTU: uint64(i.link.MTU), Network: network, Address: address, Down: !i.up,
				Counters: map[string]uint64{"Ipkts": i.stats.RxPackets, "Ierrs": i.stats.RxErrors, "Opkts": i.stats.TxPackets,
					"Oerrs": i.stats.TxErrors, "Coll": 0}})
		}
		index := k + 2
		if i.name == "lo0" {
			index = 1
		}
		add(fmt.Sprintf("link#%d", index), dotMAC(i.link.MAC))
		for _, p := range i.link.Addresses {
			add(network(p), p.Addr().String())
		}
	}
	if only != "" && len(t.Rows) == 0 {
		return noSuchInterface(only)
	}
	return c.Print(printing.FormatInterfaces(t))
}

// dotMAC prints a hardware address with dots and no leading zeros; that of the
// loopback, all zero, not at all.
func dotMAC(mac string) string {
	b, err := net.ParseMAC(mac)
	if err != nil || len(b) != 6 || [6]byte(b) == [6]byte{} {
		return ""
	}
	return fmt.Sprintf("%x.%x.%x.%x.%x.%x", b[0], b[1], b[2], b[3], b[4], b[5])
}

// network prints a network without its trailing zero bytes: 10.1.2.
func network(p netip.Prefix) string {
	bytes := strings.Split(p.Masked().Addr().String(), ".")
	return strings.Join(bytes[:max(1, (p.Bits()+7)/8)], ".")
}
