package node

import (
	"errors"
	"slices"

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

// Clients are the clients of SEAs that count them (attribute accounting).
type Clients struct{ sim *Simulator }

// follow lets the accountant follow the attribute accounting, of all SEAs but some.
// That it cannot count is reported by seastat, not by the change.
func (cl Clients) follow(but ...[2]string) {
	if cl.sim.Accounting == nil {
		return
	}
	var want []Accounted
	for _, s := range cl.sim.Plan().Systems {
		for _, n := range s.Nodes {
			for _, a := range n.Adapters {
				if a.Kind != topology.SEA || cl.sim.Running(n.Name, a.Name, "accounting") != "enabled" ||
					slices.Contains(but, [2]string{n.Name, a.Name}) {
					continue
				}
				x := Accounted{Node: n.Name, SEA: a.Name, Real: cl.sim.Counters().Devices(n.Name, a.Real)}
				for _, t := range a.Trunks {
					x.Trunks = append(x.Trunks, cl.sim.Counters().Devices(n.Name, t)...)
				}
				want = append(want, x)
			}
		}
	}
	cl.sim.notCounted = cl.sim.Accounting.Follow(want)
}

// startAtZero lets the clients of an SEA begin at zero. The caller holds the lock.
func (cl Clients) startAtZero(node, sea string) {
	cl.follow([2]string{node, sea})
	cl.follow()
}

// Read returns the counts of an SEA's clients.
func (cl Clients) Read(node, sea string) ([]ClientCount, error) {
	cl.sim.changing.Lock()
	defer cl.sim.changing.Unlock()
	if err := cl.counted(); err != nil {
		return nil, err
	}
	return cl.sim.Accounting.Read(node, sea)
}

// Reset lets the counts of an SEA's clients begin at zero.
func (cl Clients) Reset(node, sea string) error {
	cl.sim.changing.Lock()
	defer cl.sim.changing.Unlock()
	cl.startAtZero(node, sea)
	if err := cl.counted(); err != nil {
		return err
	}
	_, err := cl.sim.Accounting.Read(node, sea)
	return err
}

// counted says why clients are not counted; nil if they are.
func (cl Clients) counted() error {
	if cl.sim.notCounted == nil && cl.sim.Accounting == nil {
		return errors.New("this lab has nothing that counts clients")
	}
	return cl.sim.notCounted
}
