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
	adapters map[[2]string]*adapter // by node and entN; a VLAN device's frames are its adapter's
	failures map[string]*memory     // by the hypervisor switch's namespace: a word per ifindex
	slow     bool                   // this kernel has no faster hook
	cabled   []wire.Device          // the lab's devices when they were last looked at
}

// adapter is a virtual adapter's programs and their memory.
type adapter struct {
	shared   *memory
	want     Wanted
	set      bool // want is in force
	refused  [PoolCount]uint64
	failures uint64
	marks    [][PoolCount]mark // by CPU
	arrived  uint64            // in all, at the last look
	cables   map[wire.End]*cable
	busy     busy
}

// cable leads from one of an adapter's planes to the hypervisor switch.
type cable struct{ near, far end }

// Watch puts the programs at both ends of every virtual adapter. Until Follow
// says how many buffers there are they hold no frame up. It needs the rights of
// root on the machine; the error says what is missing.
func Watch(n *wire.Network) (*Meter, error) {
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return nil, err
	}
	m := &Meter{cpus: cpus, net: n, adapters: map[[2]string]*adapter{}, failures: map[string]*memory{}}
	if err := m.watch(); err != nil {
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

// watch gives the virtual adapters' cables their programs, and forgets those of
// cables that are gone.
func (m *Meter) watch() error {
	devices := m.net.Devices()
	if len(devices) == len(m.cabled) && (len(devices) == 0 || &devices[0] == &m.cabled[0]) {
		return nil // a lab with other devices has another list
	}
	index, err := indexes(m.net)
	if err != nil {
		return err
	}
	m.forget(index)
	for _, d := range devices {
		if d.Place != wire.Virtual || m.watched(d) {
			continue
		}
		far, ok := m.net.Far(d.End)
		if !ok {
			continue
		}
		if err := m.attach(d, far, index); err != nil {
			return fmt.Errorf("%s %s: receive buffers: %w", d.Node, d.Adapter, err)
		}
	}
	m.cabled = devices
	return nil
}

func (m *Meter) watched(d wire.Device) bool {
	a := m.adapters[[2]string{d.Node, d.Below}]
	return a != nil && a.cables[d.End] != nil
}

// indexes are the interface numbers of the ends of virtual adapters.
func indexes(n *wire.Network) (map[wire.End]int, error) {
	wanted := map[string]bool{}
	for _, d := range n.Devices() {
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

// comings is how many devices a hypervisor switch may get after its start: the
// kernel never gives an interface number twice.
const comings = 4096

// attach loads the programs of one cable and links them to its ends.
func (m *Meter) attach(d wire.Device, far wire.End, index map[wire.End]int) error {
	failures := m.failures[far.Namespace]
	if failures == nil {
		largest := 0
		for e, i := range index {
			if e.Namespace == far.Namespace {
				largest = max(largest, i)
			}
		}
		var err error
		if failures, err = newMemory("failures", 8, largest+1+comings); err != nil {
			return err
		}
		m.failures[far.Namespace] = failures
	}
	if index[far] >= failures.entries() {
		return fmt.Errorf("%s has no room for another device: %d came and went: start the lab anew", far.Namespace, comings)
	}
	key := [2]string{d.Node, d.Below}
	a := m.adapters[key]
	if a == nil {
		shared, err := newMemory("buffers", ledgersAt+m.cpus*ledgersOfCPU, 1)
		if err != nil {
			return err
		}
		a = &adapter{shared: shared, marks: make([][PoolCount]mark, m.cpus), cables: map[wire.End]*cable{}}
		m.adapters[key] = a
		for p := range PoolCount {
			a.word(p, poolAllocated).Store(math.MaxInt64)
			a.word(p, poolMin).Store(math.MaxInt64)
			a.word(p, poolMax).Store(math.MaxInt64)
		}
	}
	c := &cable{end{namespace: d.Namespace, index: index[d.End]}, end{namespace: far.Namespace, index: index[far], failures: failures}}
	// The driver first: what is taken must come back.
	for _, e := range c.ends() {
		p, err := m.load(a, e, classifier)
		if err == nil {
			err = m.net.Run(e.namespace, func() error { return e.classify(p) })
		}
		if err != nil {
			c.close()
			return err
		}
	}
	a.cables[d.End] = c
	if a.busy.swift {
		m.hasten(a, c)
	}
	return nil
}

// forget lets go of cables that the lab has no more; the programs went with
// their devices. What their frames held, Reconcile gives back.
func (m *Meter) forget(index map[wire.End]int) {
	for _, a := range m.adapters {
		for near, c := range a.cables {
			if index[near] == c.near.index {
				continue
			}
			// The failures that were counted there stay the adapter's: the two
			// numbers lose the same, and their difference is what Read gives.
			a.failures -= c.failures()
			c.close()
			delete(a.cables, near)
		}
	}
}

// load makes the program of an adapter's end.
func (m *Meter) load(a *adapter, e *end, at place) (*ebpf.Program, error) {
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
	e.programs = append(e.programs, p)
	return p, nil
}

// Programs are what runs for every frame, for who wants to know their cost.
func (m *Meter) Programs() []*ebpf.Program {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []*ebpf.Program
	for _, a := range m.adapters {
		for _, c := range a.cables {
			out = append(out, slices.Concat(c.near.programs, c.far.programs)...)
		}
	}
	return out
}

// Close ends the counting. The programs stay as long as their devices.
func (m *Meter) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.adapters {
		for _, c := range a.cables {
			c.close()
		}
		a.shared.close()
	}
	for _, f := range m.failures {
		f.close()
	}
	m.adapters, m.failures = nil, nil
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
