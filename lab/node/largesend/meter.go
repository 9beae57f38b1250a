package largesend

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/google/nftables"

	"seaworthy/lab/node"
	"seaworthy/lab/packetfilter"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// smallest is the largest frame that no set counts: the usual MTU.
const smallest = 1500

// Size is how many frames of one length passed.
type Size struct {
	Length int // of the IP packet, in bytes
	Frames uint64
	Bytes  uint64 // of all of them, with their headers
}

// Meter watches the cables of a lab's nodes. It is safe for concurrent use.
type Meter struct {
	net       *wire.Network
	noBridges error // why SEAs' own interfaces are not watched
	mu        sync.RWMutex
	turn      int                 // of Follow, each with tables of its own
	at        map[wire.End]*place // by a node's end
}

// place is where the frames of an end are counted.
type place struct {
	wire.End // where they arrive
	table    *nftables.Table
	was      []Size // what was counted before the node's last boot
}

// batch is how many devices are set up at once: the kernel answers for each,
// and holds no more answers than a socket's buffer does.
const batch = 50

// Watch puts a filter at the far end of every cable of a node.
func Watch(n *wire.Network) (*Meter, error) {
	m := &Meter{net: n, at: map[wire.End]*place{}}
	return m, m.Follow()
}

// Follow watches the cables and the SEAs that came since, and no longer those
// that went: their chains went with them. Where the kernel's packet filter has
// no bridge family, what an SEA's own interface sends is not counted.
func (m *Meter) Follow() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turn++
	name := fmt.Sprintf("seaworthy-sizes-%d", m.turn)
	now, ports, fresh := map[wire.End]bool{}, map[wire.End][]string{}, map[string][]string{}
	for _, d := range m.net.Devices() {
		of := wire.End{Namespace: d.Namespace, Device: d.Bridge}
		ports[of] = append(ports[of], d.Device)
		far, cable := m.net.Far(d.End)
		cable = cable && (d.Place == wire.Virtual || d.Place == wire.Physical)
		if !cable && d.Place != wire.SEA {
			continue
		}
		now[d.End] = true
		if _, known := m.at[d.End]; cable && !known {
			m.at[d.End] = &place{End: far, table: packetfilter.Device(name)}
			fresh[far.Namespace] = append(fresh[far.Namespace], far.Device)
		}
	}
	for ns, devices := range fresh {
		slices.Sort(devices)
		for some := range slices.Chunk(devices, batch) {
			if err := m.net.Run(ns, func() error { return install(packetfilter.Device(name), some) }); err != nil {
				return fmt.Errorf("%s: count frame sizes: %w", ns, err)
			}
		}
	}
	for e := range now {
		if _, known := m.at[e]; known || m.noBridges != nil {
			continue
		}
		own := packetfilter.Bridge(name + "-" + e.Device)
		m.noBridges = m.net.Run(e.Namespace, func() error { return installOwn(own, e.Device, ports[e]) })
		if m.noBridges == nil {
			m.at[e] = &place{End: e, table: own}
		}
	}
	maps.DeleteFunc(m.at, func(e wire.End, _ *place) bool { return !now[e] })
	return nil
}

// Sizes are the frames above 1500 bytes that left by an end, since Watch.
func (m *Meter) Sizes(e wire.End) ([]Size, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	p := m.at[e]
	switch {
	case p == nil && m.noBridges != nil:
		return nil, fmt.Errorf("%s %s: %w", e.Namespace, e.Device, m.noBridges)
	case p == nil:
		return nil, fmt.Errorf("%s %s: no cable, so nothing counts its frames", e.Namespace, e.Device)
	}
	now, err := m.count(e, p)
	return since(now, p.was), err
}

func (m *Meter) count(e wire.End, at *place) (out []Size, err error) {
	err = m.net.Run(at.Namespace, func() (err error) {
		out, err = read(at)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s %s: frame sizes: %w", e.Namespace, e.Device, err)
	}
	return out, nil
}

// Reset restarts the counts of a node at zero.
func (m *Meter) Reset(host string) (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for e, p := range m.at {
		if e.Namespace != host {
			continue
		}
		if p.was, err = m.count(e, p); err != nil {
			return err
		}
	}
	return nil
}

// since takes off what was counted before, length by length. A length that has
// fewer now was reset.
func since(now, before []Size) []Size {
	was := map[int]Size{}
	for _, s := range before {
		was[s.Length] = s
	}
	var out []Size
	for _, s := range now {
		if b := was[s.Length]; b.Frames <= s.Frames && b.Bytes <= s.Bytes {
			s.Frames, s.Bytes = s.Frames-b.Frames, s.Bytes-b.Bytes
		}
		if s.Frames > 0 {
			out = append(out, s)
		}
	}
	return out
}

// LargeSend is the meter in the form the commands of package node ask for. A
// frame counts if it is above the MTU of its interface now; its payload is
// what is behind the headers: 40 bytes, and 12 of timestamps with rfc1323.
func (m *Meter) LargeSend(w *node.Simulator) func(e wire.End) (node.LargeSend, error) {
	return func(e wire.End) (node.LargeSend, error) {
		link, err := w.Link(e)
		if err != nil {
			return node.LargeSend{}, err
		}
		headers := 40
		if w.Timestamps(e.Namespace) {
			headers += 12
		}
		var l node.LargeSend
		for _, port := range ports(w, e) {
			sizes, err := m.Sizes(port)
			if err != nil {
				return node.LargeSend{}, err
			}
			for _, s := range sizes {
				payload := uint64(s.Length - headers)
				if s.Length > link.MTU {
					l.Frames += s.Frames
					l.Bytes += s.Frames * payload
					l.Biggest = max(l.Biggest, payload)
				}
			}
		}
		return l, nil
	}
}

// ports are the ends of the cables that an interface sends by: its own, or
// those of its EtherChannel.
func ports(w *node.Simulator, e wire.End) []wire.End {
	var out []wire.End
	if _, n, ok := w.Plan().Node(e.Namespace); ok {
		for _, a := range n.Adapters {
			if a.Kind != topology.Channel || wire.DeviceName(a.Name) != e.Device {
				continue
			}
			for _, port := range a.Holds() {
				out = append(out, wire.End{Namespace: e.Namespace, Device: wire.DeviceName(port)})
			}
			return out
		}
	}
	return []wire.End{e}
}
