package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/dialect/aix/seastat"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// Accounted is an SEA whose clients are counted.
type Accounted struct {
	Node, SEA    string
	Trunks, Real []wire.End // of every VLAN
}

// ClientCount is one client of an SEA: frames and bytes that it sent and got.
type ClientCount struct {
	Trunk, MAC         string // Trunk: the device it was counted at, en4 or en4.20
	TxPackets, TxBytes uint64
	RxPackets, RxBytes uint64
}

// Accountant counts the clients of SEAs.
type Accountant interface {
	Follow(want []Accounted) error
	Read(node, sea string) ([]ClientCount, error)
}

// follow lets the accountant follow the attribute accounting. That it cannot
// count is reported by seastat, not by the change.
func (w *Simulator) follow() { w.followBut("", "") }

// followBut leaves one SEA out.
func (w *Simulator) followBut(node, sea string) {
	if w.Accounting == nil {
		return
	}
	var want []Accounted
	for _, s := range w.Plan().Systems {
		for _, n := range s.Nodes {
			for _, a := range n.Adapters {
				v, _ := w.Stores[n.Name].Running(a.Name, "accounting")
				if a.Kind == topology.SEA && v == "enabled" && (n.Name != node || a.Name != sea) {
					want = append(want, w.accounted(n.Name, a))
				}
			}
		}
	}
	w.notCounted = w.Accounting.Follow(want)
}

// accounted is an SEA with the devices of its adapters.
func (w *Simulator) accounted(node string, sea topology.Adapter) Accounted {
	x := Accounted{Node: node, SEA: sea.Name, Real: w.vlanDevs(node, sea.Real)}
	for _, t := range sea.Trunks {
		x.Trunks = append(x.Trunks, w.vlanDevs(node, t)...)
	}
	return x
}

// seastat prints the counters of an SEA's clients.
func (w *Simulator) seastat(_ context.Context, c *call) error {
	if !c.Has("d") {
		return wrong("the SEA is missing: -d")
	}
	dev := c.Value("d")
	d, ok := c.db.Device(dev)
	a := adapterOf(c.n, dev)
	switch {
	case !ok:
		return odm.NotFound(dev)
	case a == nil || a.Kind != topology.SEA || d.Status != odm.Available:
		return fmt.Errorf("%s is not a Shared Ethernet Adapter that is available", dev)
	}
	if v, _ := c.db.Running(dev, "accounting"); v != "enabled" {
		return fmt.Errorf("%s: accounting is %s, so nothing is counted: chdev -dev %s -attr accounting=enabled", dev, v, dev)
	}
	for _, f := range c.All("s") {
		if name, v, _ := strings.Cut(f, "="); v == "" || !slices.Contains([]string{"mac", "vlan", "hostname", "ip"}, name) {
			return wrong("%s is not a filter", f)
		}
	}
	w.changing.Lock()
	if c.Has("c") { // who is counted anew begins at zero
		w.countAnew(c.Node, dev)
	}
	counts, err := []ClientCount(nil), w.notCounted
	if err == nil && w.Accounting == nil {
		err = errors.New("this lab has nothing that counts clients")
	}
	if err == nil {
		counts, err = w.Accounting.Read(c.Node, dev)
	}
	w.changing.Unlock()
	if err != nil {
		return err
	}
	if c.Has("c") {
		return nil
	}
	out := &seastat.Statistics{Device: dev}
	for _, x := range counts {
		k := w.client(c.n, x, !c.Has("n"))
		if wanted(k, c.All("s")) {
			out.Clients = append(out.Clients, k)
		}
	}
	return c.Print(seastat.Format(out))
}

// client names a counted address after the topology.
func (w *Simulator) client(vios *topology.Node, x ClientCount, named bool) *seastat.Client {
	k := &seastat.Client{MAC: strings.ToUpper(x.MAC),
		Packets: seastat.Directions{Tx: &x.TxPackets, Rx: &x.RxPackets}, Bytes: seastat.Directions{Tx: &x.TxBytes, Rx: &x.RxBytes}}
	trunk, tag, _ := strings.Cut(x.Trunk, ".")
	k.VLAN, k.Priority = new(uint64(adapterOf(vios, trunk).PVID)), new(uint64)
	if v, err := strconv.ParseUint(tag, 10, 16); err == nil {
		k.VLAN = &v
	}
	for _, n := range w.Plan().Nodes() {
		for _, a := range n.Adapters {
			if !strings.EqualFold(a.MAC, x.MAC) {
				continue
			}
			if addrs := w.Stores[n.Name].Addresses("en" + strings.TrimPrefix(a.Name, "ent")); len(addrs) > 0 {
				k.IP = addrs[0].Addr().String()
				if named {
					k.Hostname = n.Name
				}
			}
		}
	}
	return k
}

// wanted says whether a client passes all of -s.
func wanted(k *seastat.Client, filters []string) bool {
	for _, f := range filters {
		name, v, _ := strings.Cut(f, "=")
		have := map[string]string{"mac": k.MAC, "hostname": k.Hostname, "ip": k.IP}[name]
		if name == "vlan" {
			have = fmt.Sprint(*k.VLAN)
		}
		if !strings.EqualFold(have, v) {
			return false
		}
	}
	return true
}

// countAnew lets the clients of an SEA begin at zero. The caller holds the lock.
func (w *Simulator) countAnew(node, sea string) {
	w.followBut(node, sea)
	w.follow()
}
