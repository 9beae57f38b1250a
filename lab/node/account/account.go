package account

import (
	"bytes"
	"fmt"
	"net"
	"reflect"
	"slices"
	"strings"

	"github.com/google/nftables"
	"github.com/google/nftables/expr"
	"golang.org/x/sys/unix"

	"seaworthy/lab/node"
	"seaworthy/lab/packetfilter"
	"seaworthy/lab/wire"
)

// Meter holds what is counted now. The world's changes call it one at a time.
type Meter struct {
	net    *wire.Network
	active map[[2]string]node.Accounted // node, SEA
}

// New counts nothing yet.
func New(n *wire.Network) *Meter { return &Meter{net: n, active: map[[2]string]node.Accounted{}} }

func table(sea string) *nftables.Table { return packetfilter.Device("seaworthy-" + sea) }

// Follow makes the counting what is wanted. Counters of an SEA that goes on
// being counted stay; one that was not counted before starts at zero.
func (m *Meter) Follow(want []node.Accounted) error {
	for at, a := range m.active {
		if slices.ContainsFunc(want, func(k node.Accounted) bool { return reflect.DeepEqual(k, a) }) {
			continue
		}
		if err := m.net.Run(a.Node, func() error { return packetfilter.Remove(table(a.SEA)) }); err != nil {
			return fmt.Errorf("%s %s: stop counting clients: %w", a.Node, a.SEA, err)
		}
		delete(m.active, at)
	}
	for _, a := range want {
		at := [2]string{a.Node, a.SEA}
		if _, ok := m.active[at]; ok {
			continue
		}
		if err := m.net.Run(a.Node, func() error { return install(a) }); err != nil {
			return fmt.Errorf("%s %s: count clients: %w", a.Node, a.SEA, err)
		}
		m.active[at] = a
	}
	return nil
}

const (
	destinationAt, sourceAt, addressLen = 0, 6, 6
)

func install(a node.Accounted) error {
	return packetfilter.Change(func(b *packetfilter.Batch) {
		t := b.AddTable(table(a.SEA))
		watch := func(e wire.End, at uint32) {
			count := b.Counter(t, e.Device, addressLen)
			chain := b.Ingress(t, e.Device, packetfilter.Counting)
			b.Rule(chain,
				&expr.Payload{DestRegister: unix.NFT_REG_1, Base: expr.PayloadBaseLLHeader, Offset: at, Len: addressLen}, count)
		}
		for _, trunk := range a.Trunks {
			watch(trunk, sourceAt)
		}
		for _, real := range a.Real {
			watch(real, destinationAt)
		}
	})
}

// tag is the VLAN of a device such as en4.20; empty: none.
func tag(device string) string {
	_, tag, _ := strings.Cut(device, ".")
	return tag
}

// Read gives the clients that have sent by the SEA, sorted by trunk and address.
func (m *Meter) Read(at, sea string) ([]node.ClientCount, error) {
	a, ok := m.active[[2]string{at, sea}]
	if !ok {
		return nil, fmt.Errorf("%s %s: its clients are not counted", at, sea)
	}
	var out []node.ClientCount
	err := m.net.Run(at, func() error {
		received := map[[2]string]packetfilter.Count{} // tag, address: a client may have one address in several VLANs
		for _, real := range a.Real {
			list, err := packetfilter.Read(table(sea), real.Device)
			if err != nil {
				return err
			}
			for _, e := range list {
				at := [2]string{tag(real.Device), string(e.Key)}
				r := received[at]
				r.Packets += e.Packets
				r.Bytes += e.Bytes
				received[at] = r
			}
		}
		for _, trunk := range a.Trunks {
			list, err := packetfilter.Read(table(sea), trunk.Device)
			if err != nil {
				return err
			}
			slices.SortFunc(list, func(x, y packetfilter.Count) int { return bytes.Compare(x.Key, y.Key) })
			for _, e := range list {
				if len(e.Key) != addressLen {
					continue
				}
				got := received[[2]string{tag(trunk.Device), string(e.Key)}]
				out = append(out, node.ClientCount{Trunk: trunk.Device, MAC: net.HardwareAddr(e.Key).String(),
					TxPackets: e.Packets, TxBytes: e.Bytes, RxPackets: got.Packets, RxBytes: got.Bytes})
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s %s: clients: %w", at, sea, err)
	}
	return out, nil
}
