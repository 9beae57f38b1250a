package buffers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/cilium/ebpf"

	"seaworthy/lab/wire"
)

// Meter holds the programs of a lab. It is safe for concurrent use.
type Meter struct {
	cpus     int
	net      *wire.Network
	mu       sync.Mutex
	adapters map[[2]string]*adapter // node, entN
	failures map[string]*memory     // by the hypervisor switch's namespace: a word per ifindex
	programs []*ebpf.Program
	slow     bool // this kernel has no faster hook
}

// adapter is a virtual adapter's programs and their memory.
type adapter struct {
	shared   *memory
	ports    []port // at the hypervisor switch
	want     Wanted
	set      bool // want is in force
	refused  [PoolCount]uint64
	failures uint64
	marks    [][PoolCount]mark // by CPU
	arrived  uint64            // in all, at the last look
	ends     []end
	busy     busy
}

// port is an adapter's plug at the hypervisor switch.
type port struct {
	namespace string
	index     int
}

// Watch puts the programs at both ends of every virtual adapter. Until Follow
// says how many buffers there are they hold no frame up. It needs the rights of
// root on the machine; the error says what is missing.
func Watch(n *wire.Network) (*Meter, error) {
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return nil, err
	}
	m := &Meter{cpus: cpus, net: n, adapters: map[[2]string]*adapter{}, failures: map[string]*memory{}}
	if err := m.watch(n); err != nil {
		m.Close()
		return nil, because(err)
	}
	return m, nil
}

// because says what would have to be different.
func because(err error) error {
	switch {
	case errors.Is(err, ebpf.ErrNotSupported):
		return fmt.Errorf("this kernel is too old for the programs that count them: %w", err)
	case errors.Is(err, os.ErrPermission):
		// What the libraries say of it, and advise, would lead astray.
		return fmt.Errorf("only root on the machine may load the programs that count them: %w", os.ErrPermission)
	}
	return err
}

func (m *Meter) watch(n *wire.Network) error {
	index, err := indexes(n)
	if err != nil {
		return err
	}
	for _, d := range n.Layout.Devices {
		if d.Place != wire.Virtual {
			continue
		}
		far, ok := n.Far(d.End)
		if !ok {
			continue
		}
		if err := m.attach(n, d, far, index); err != nil {
			return fmt.Errorf("%s %s: receive buffers: %w", d.Node, d.Adapter, err)
		}
	}
	return nil
}

// indexes are the interface numbers of the ends of virtual adapters.
func indexes(n *wire.Network) (map[wire.End]int, error) {
	wanted := map[string]bool{}
	for _, d := range n.Layout.Devices {
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

// attach loads the programs of one adapter and links them to its ends.
func (m *Meter) attach(n *wire.Network, d wire.Device, far wire.End, index map[wire.End]int) error {
	failures := m.failures[far.Namespace]
	if failures == nil {
		largest := 0
		for e, i := range index {
			if e.Namespace == far.Namespace {
				largest = max(largest, i)
			}
		}
		var err error
		if failures, err = newMemory("failures", 8, largest+1); err != nil {
			return err
		}
		m.failures[far.Namespace] = failures
	}
	key := [2]string{d.Node, d.Below}
	a := m.adapters[key]
	if a == nil {
		shared, err := newMemory("buffers", ledgersAt+m.cpus*ledgersOfCPU, 1)
		if err != nil {
			return err
		}
		a = &adapter{shared: shared, marks: make([][PoolCount]mark, m.cpus)}
		m.adapters[key] = a
		for p := range PoolCount {
			a.word(p, poolAllocated).Store(math.MaxInt64)
			a.word(p, poolMin).Store(math.MaxInt64)
			a.word(p, poolMax).Store(math.MaxInt64)
		}
	}
	a.ports = append(a.ports, port{far.Namespace, index[far]})
	// The driver first: what is taken must come back.
	for _, e := range []end{{d.Namespace, index[d.End], nil}, {far.Namespace, index[far], failures}} {
		p, err := m.load(a, e, classifier)
		if err != nil {
			return err
		}
		if err := n.Run(e.namespace, func() error { return e.classify(p) }); err != nil {
			return err
		}
		a.ends = append(a.ends, e)
	}
	return nil
}

// load makes the program of an adapter's end.
func (m *Meter) load(a *adapter, e end, at place) (*ebpf.Program, error) {
	name, code := "give", giver(at, a.shared, m.cpus)
	if e.failures != nil {
		name, code = "take", taker(at, a.shared, e.failures, m.cpus)
	}
	if at == tcx {
		name += "_tcx"
	}
	p, err := ebpf.NewProgram(&ebpf.ProgramSpec{Name: name, Type: ebpf.SchedCLS, Instructions: code, License: "Apache-2.0"})
	if err != nil {
		return nil, err
	}
	m.programs = append(m.programs, p)
	return p, nil
}

// Programs are what runs for every frame, for who wants to know their cost.
func (m *Meter) Programs() []*ebpf.Program {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.programs)
}

// Close ends the counting. The programs stay as long as their devices.
func (m *Meter) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.programs {
		p.Close()
	}
	for _, a := range m.adapters {
		a.shared.close()
	}
	for _, f := range m.failures {
		f.close()
	}
	m.adapters, m.failures, m.programs = nil, nil, nil
}

// Keep gives lost buffers back, and hastens, until ctx ends. Then it closes the
// meter.
func (m *Meter) Keep(ctx context.Context) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			m.Close()
			return
		case <-t.C:
			m.Reconcile()
			m.Hasten()
		}
	}
}
