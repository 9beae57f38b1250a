package buffers

import (
	"fmt"
	"sync/atomic"
)

func (a *adapter) word(pool, at int) *atomic.Uint64 { return a.shared.word(poolAt(pool) + at) }

func (a *adapter) ledger(cpu, pool, at int) *atomic.Uint64 {
	return a.shared.word(ledgerAt(cpu, pool) + at)
}

// Follow makes the buffers what is wanted, of the cables that the lab has now.
// An adapter that is opened, or whose pools change, starts its history and its
// counts anew.
func (m *Meter) Follow(want []Wanted) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.watch(); err != nil {
		return err
	}
	for _, w := range want {
		a := m.adapters[[2]string{w.Node, w.Adapter}]
		if a == nil {
			return fmt.Errorf("%s %s: has no receive buffers in this lab", w.Node, w.Adapter)
		}
		if a.set && a.want == w {
			continue
		}
		var cut uint64
		if w.Cut {
			cut = 1
		}
		a.shared.word(cutsAt).Store(cut)
		if !a.set || a.want.Pools != w.Pools || w.Open && !a.want.Open {
			m.open(a, w)
		}
		a.want, a.set = w, true
	}
	return nil
}

// open sets the pools up as the driver does when the adapter is opened. What is
// still on its way stays in the ledgers.
func (m *Meter) open(a *adapter, w Wanted) {
	for p, s := range w.Pools {
		a.word(p, poolMin).Store(s.Min)
		a.word(p, poolMax).Store(s.Max)
		allocated := min(s.Max, s.Min+a.word(p, poolInUse).Load())
		a.word(p, poolAllocated).Store(allocated)
		for cpu := range m.cpus {
			a.ledger(cpu, p, ledgerLowest).Store(allocated)
			a.ledger(cpu, p, ledgerHighest).Store(allocated)
		}
		a.refused[p] = a.word(p, poolRefused).Load()
	}
	a.failures = a.sent()
}

// sent is how many frames of this adapter found no buffer at their receiver.
func (a *adapter) sent() uint64 {
	var n uint64
	for _, c := range a.cables {
		n += c.failures()
	}
	return n
}

// Read gives an adapter's buffers now.
func (m *Meter) Read(node, name string) (Counts, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.adapters[[2]string{node, name}]
	if a == nil || !a.set {
		return Counts{}, fmt.Errorf("%s %s: its receive buffers are not counted", node, name)
	}
	c := Counts{ReceiverFailures: a.sent() - a.failures}
	for p := range c.Pools {
		x := &c.Pools[p]
		x.Size = a.want.Pools[p]
		x.Allocated = a.word(p, poolAllocated).Load()
		inUse := a.word(p, poolInUse).Load()
		// The two are read one after the other while frames pass.
		x.Registered = x.Allocated - min(x.Allocated, inUse)
		x.MaxAllocated, x.LowestRegistered = x.Allocated, x.Registered
		for cpu := range m.cpus {
			x.MaxAllocated = max(x.MaxAllocated, a.ledger(cpu, p, ledgerHighest).Load())
			x.LowestRegistered = min(x.LowestRegistered, a.ledger(cpu, p, ledgerLowest).Load())
		}
		x.Refused = a.word(p, poolRefused).Load() - a.refused[p]
	}
	return c, nil
}
