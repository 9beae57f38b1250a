package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/seastat"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
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

// follow lets the accountant follow the attribute accounting, of all SEAs but some.
// That it cannot count is reported by seastat, not by the change.
func (w *Simulator) follow(but ...[2]string) {
	if w.Accounting == nil {
		return
	}
	var want []Accounted
	for _, s := range w.Plan().Systems {
		for _, n := range s.Nodes {
			for _, a := range n.Adapters {
				if a.Kind != topology.SEA || w.running(n.Name, a.Name, "accounting") != "enabled" ||
					slices.Contains(but, [2]string{n.Name, a.Name}) {
					continue
				}
				x := Accounted{Node: n.Name, SEA: a.Name, Real: w.vlanDevs(n.Name, a.Real)}
				for _, t := range a.Trunks {
					x.Trunks = append(x.Trunks, w.vlanDevs(n.Name, t)...)
				}
				want = append(want, x)
			}
		}
	}
	w.notCounted = w.Accounting.Follow(want)
}

// countAnew lets the clients of an SEA begin at zero. The caller holds the lock.
func (w *Simulator) countAnew(node, sea string) {
	w.follow([2]string{node, sea})
	w.follow()
}

func (w *Simulator) seastat(_ context.Context, c *call) error {
	dev := c.Value("d")
	d, ok := c.db.Device(dev)
	accounting := w.running(c.Node, dev, "accounting")
	switch {
	case dev == "":
		return wrong("the SEA is missing: -d")
	case !ok:
		return odm.NotFound(dev)
	case d.Kind != model.SEA || d.Status != odm.Available:
		return fmt.Errorf("%s is not a Shared Ethernet Adapter that is available", dev)
	case accounting != "enabled":
		return fmt.Errorf("%s: accounting is %s, so nothing is counted: chdev -dev %s -attr accounting=enabled", dev, accounting, dev)
	}
	for _, f := range c.All("s") {
		if name, v, _ := strings.Cut(f, "="); v == "" || !slices.Contains([]string{"mac", "vlan", "hostname", "ip"}, name) {
			return wrong("%s is not a filter", f)
		}
	}
	counts, err := w.clientsOf(c.Node, dev, c.Has("c"))
	if err != nil || c.Has("c") {
		return err
	}
	out := &seastat.Statistics{Device: dev}
	for _, x := range counts {
		k := w.client(c.n, x, !c.Has("n"))
		if wanted(k, c.All("s")) {
			out.Clients = append(out.Clients, k)
		}
	}
	return c.Print(printing.FormatSeastat(out))
}

// clientsOf are the counts of an SEA's clients, which may begin at zero from now on.
func (w *Simulator) clientsOf(node, sea string, anew bool) ([]ClientCount, error) {
	w.changing.Lock()
	defer w.changing.Unlock()
	if anew {
		w.countAnew(node, sea)
	}
	switch {
	case w.notCounted != nil:
		return nil, w.notCounted
	case w.Accounting == nil:
		return nil, errors.New("this lab has nothing that counts clients")
	}
	return w.Accounting.Read(node, sea)
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
