package buffers

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cilium/ebpf"
	"github.com/vishvananda/netlink"

	"seaworthy/lab/wire"
)

// Meter holds the programs of a lab. It is safe for concurrent use.
type Meter struct {
	cpus        int
	net         *wire.Network
	returning   *ebpf.Program
	pools       *shared[bpfAdapter]
	ledgers     *shared[bpfCpuLedgers] // cpus for each adapter
	mu          sync.Mutex
	adapters    map[[2]string]*adapter // by node and entN; a VLAN device's frames are its adapter's
	hypervisors map[string]*hypervisor // by namespace
	watched     []wire.Device          // the lab's devices at the last call
}

type adapter struct {
	slot     int // its place in the shared memory
	want     Wanted
	set      bool // want is in force
	refused  [PoolCount]uint64
	failures uint64
	mark     mark
	cables   map[wire.End]cable // by its own end
}

// cable leads from one of an adapter's devices to the hypervisor switch.
type cable struct {
	index int      // of the adapter's device
	port  *bpfPort // of the switch's
}

// Watch puts the programs at both ends of every virtual adapter. Until Follow
// says how many buffers there are they hold no frame up. It needs the rights of
// root on the machine; the error says what is missing.
func Watch(n *wire.Network) (*Meter, error) {
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return nil, err
	}
	m := &Meter{cpus: cpus, net: n, adapters: map[[2]string]*adapter{}, hypervisors: map[string]*hypervisor{}}
	virtual := 0
	for _, d := range n.Devices() {
		if d.Place == wire.Virtual {
			virtual++ // VLAN devices too: more than enough
		}
	}
	if err = m.load(max(1, virtual)); err == nil {
		err = m.watch()
	}
	if err != nil {
		m.Close()
		return nil, explain(err)
	}
	return m, nil
}

// explain says what would have to be different.
func explain(err error) error {
	switch {
	case errors.Is(err, ebpf.ErrNotSupported):
		return fmt.Errorf("this kernel is too old for the programs that count them: %w", err)
	case errors.Is(err, os.ErrPermission):
		// What the libraries say and advise would mislead.
		return fmt.Errorf("only root on the machine may load the programs that count them: %w", os.ErrPermission)
	}
	return err
}

// watch attaches the programs to the virtual adapters' cables, and forgets
// cables that are gone.
func (m *Meter) watch() error {
	devices := m.net.Devices()
	if len(devices) == len(m.watched) && (len(devices) == 0 || &devices[0] == &m.watched[0]) {
		return nil // a lab with other devices has another list
	}
	index, err := indexes(devices, m.net)
	if err != nil {
		return err
	}
	m.forget(index)
	for _, d := range devices {
		far, ok := m.net.Far(d.End)
		if d.Place != wire.Virtual || !ok {
			continue
		}
		if err := m.watchCable(d, far, index); err != nil {
			return fmt.Errorf("%s %s: receive buffers: %w", d.Node, d.Adapter, err)
		}
	}
	m.watched = devices
	return nil
}

// indexes are the interface numbers of the ends of virtual adapters.
func indexes(devices []wire.Device, n *wire.Network) (map[wire.End]int, error) {
	wanted := map[string]bool{}
	for _, d := range devices {
		if d.Place == wire.Virtual || d.Place == wire.Hypervisor {
			wanted[d.Namespace] = true
		}
	}
	out := map[wire.End]int{}
	for ns := range wanted {
		err := n.Run(ns, func() error {
			all, err := net.Interfaces()
			for _, i := range all {
				out[wire.End{Namespace: ns, Device: i.Name}] = i.Index
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: list devices: %w", ns, err)
		}
	}
	return out, nil
}

// watchCable attaches the programs to both ends of a cable, unless they are there.
func (m *Meter) watchCable(d wire.Device, far wire.End, index map[wire.End]int) error {
	a, err := m.adapter(d)
	if err != nil || a.cables[d.End].port != nil {
		return err
	}
	h := m.hypervisors[far.Namespace]
	if h == nil {
		if h, err = m.loadHypervisor(slices.Max(slices.Collect(maps.Values(index)))); err != nil {
			return err
		}
		m.hypervisors[far.Namespace] = h
	}
	if index[far] >= len(h.ports.values) {
		return fmt.Errorf("%s: more than %d devices were added after its start: restart the lab", far.Namespace, laterDevices)
	}
	port := &h.ports.values[index[far]]
	atomic.StoreUint64(&port.Adapter, uint64(a.slot)+1)
	// The driver first: what is taken must come back.
	err = m.net.Run(d.Namespace, func() error { return attach(index[d.End], netlink.HANDLE_MIN_INGRESS, m.returning) })
	if err == nil {
		err = m.net.Run(far.Namespace, func() error { return attach(index[far], netlink.HANDLE_MIN_EGRESS, h.take) })
	}
	a.cables[d.End] = cable{index[d.End], port}
	return err
}

func (m *Meter) adapter(d wire.Device) (*adapter, error) {
	key := [2]string{d.Node, d.Below}
	if a := m.adapters[key]; a != nil {
		return a, nil
	}
	a := &adapter{slot: len(m.adapters), mark: mark{taken: make([][PoolCount]uint64, m.cpus)}, cables: map[wire.End]cable{}}
	if a.slot >= len(m.pools.values) {
		return nil, errors.New("an adapter added after the start of the lab has none: restart the lab")
	}
	m.adapters[key] = a
	for p := range PoolCount {
		x := m.pool(a, p)
		x.Min, x.Max, x.Allocated = math.MaxInt64, math.MaxInt64, math.MaxInt64
	}
	return a, nil
}

// forget lets go of cables that the lab has no more; the programs went with
// their devices. What their frames held, Reconcile returns.
func (m *Meter) forget(index map[wire.End]int) {
	for _, a := range m.adapters {
		for near, c := range a.cables {
			if index[near] == c.index {
				continue
			}
			// The failures counted there remain the adapter's: both numbers lose the
			// same, and Read gives their difference.
			a.failures -= atomic.LoadUint64(&c.port.Failures)
			delete(a.cables, near)
		}
	}
}

// pool and ledger are shared with programs that run now: atomic access only.
func (m *Meter) pool(a *adapter, p int) *bpfPool { return &m.pools.values[a.slot].Pools[p] }

func (m *Meter) ledger(a *adapter, cpu, p int) *bpfLedger {
	return &m.ledgers.values[a.slot*m.cpus+cpu].Pools[p]
}

// Close ends the counting. The programs stay as long as their devices.
func (m *Meter) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, h := range m.hypervisors {
		h.take.Close()
		h.ports.close()
	}
	m.returning.Close()
	m.pools.close()
	m.ledgers.close()
	m.adapters, m.hypervisors = nil, nil
	m.pools, m.ledgers, m.returning = nil, nil, nil
}
