package commands

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/seastat"
	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

func seastatCommand() command {
	both := &form{
		flags: "d:cns:",
		usage: `seastat -d Shared_Ethernet_Adapter [-n] [-s {mac=MAC | vlan=VLAN | hostname=Name | ip=Address}]...
seastat -d Shared_Ethernet_Adapter -c`,
	}
	return command{run: runSeastat, aix: both, vios: both}
}

// runSeastat lists the clients of an SEA that counts them.
func runSeastat(_ context.Context, c *call) error {
	dev := c.Value("d")
	d, ok := c.db.Device(dev)
	accounting := c.sim.Running(c.Node, dev, "accounting")
	switch {
	case dev == "":
		return flags.Usagef("the SEA is missing: -d")
	case !ok:
		return odm.NotFound(dev)
	case d.Kind != model.SEA || d.Status != odm.Available:
		return fmt.Errorf("%s is not a Shared Ethernet Adapter that is available", dev)
	case accounting != "enabled":
		return fmt.Errorf("%s: accounting is %s, so nothing is counted: chdev -dev %s -attr accounting=enabled", dev, accounting, dev)
	}
	for _, f := range c.All("s") {
		if name, v, _ := strings.Cut(f, "="); v == "" || !slices.Contains([]string{"mac", "vlan", "hostname", "ip"}, name) {
			return flags.Usagef("%s is not a filter", f)
		}
	}
	if c.Has("c") {
		return c.sim.Clients().Reset(c.Node, dev)
	}
	counts, err := c.sim.Clients().Read(c.Node, dev)
	if err != nil {
		return err
	}
	out := &seastat.Statistics{Device: dev}
	for _, x := range counts {
		k := client(c, x)
		if wanted(k, c.All("s")) {
			out.Clients = append(out.Clients, k)
		}
	}
	return c.Print(printing.FormatSeastat(out))
}

// client names a counted address by the topology, without host names where -n is given.
func client(c *call, x node.ClientCount) *seastat.Client {
	k := &seastat.Client{MAC: strings.ToUpper(x.MAC),
		Packets: seastat.Directions{Tx: &x.TxPackets, Rx: &x.RxPackets}, Bytes: seastat.Directions{Tx: &x.TxBytes, Rx: &x.RxBytes}}
	trunk, tag, _ := strings.Cut(x.Trunk, ".")
	k.VLAN, k.Priority = new(uint64(node.AdapterOf(c.config, trunk).PVID)), new(uint64)
	if v, err := strconv.ParseUint(tag, 10, 16); err == nil {
		k.VLAN = &v
	}
	for _, n := range c.sim.Plan().Nodes() {
		for _, a := range n.Adapters {
			if !strings.EqualFold(a.MAC, x.MAC) {
				continue
			}
			if addrs := c.sim.Stores[n.Name].Addresses("en" + strings.TrimPrefix(a.Name, "ent")); len(addrs) > 0 {
				k.IP = addrs[0].Addr().String()
				if !c.Has("n") {
					k.Hostname = n.Name
				}
			}
		}
	}
	return k
}

// wanted reports whether a client passes every filter.
func wanted(k *seastat.Client, filters []string) bool {
	for _, f := range filters {
		name, v, _ := strings.Cut(f, "=")
		fields := map[string]string{"mac": k.MAC, "hostname": k.Hostname, "ip": k.IP}
		have := fields[name]
		if name == "vlan" {
			have = fmt.Sprint(*k.VLAN)
		}
		if !strings.EqualFold(have, v) {
			return false
		}
	}
	return true
}
