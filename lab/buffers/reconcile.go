package buffers

import (
	"context"
	"sync/atomic"
	"time"
)

// mark is where an adapter's ledgers were at an earlier call of reconcile.
type mark struct {
	taken    [][PoolCount]uint64 // by CPU
	returned uint64              // the sum at the last call
}

// Reconcile returns what lost frames hold that no later frame of their own ledger
// has shown to be lost, and says how many buffers that were. Call it about once a
// second: that is longer than a CPU leaves arrived packets alone, and a queue that
// moves delivers more often.
func (m *Meter) Reconcile() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	var back uint64
	for _, a := range m.adapters {
		back += m.reconcile(a)
	}
	return back
}

// reconcile checks whether a frame has arrived that was taken after the mark, or
// none since the last call. Either way what was taken before the mark and has not
// arrived never will, and the present state is the new mark.
func (m *Meter) reconcile(a *adapter) uint64 {
	overtaken, sum := false, uint64(0)
	for cpu := range m.cpus {
		for p := range PoolCount {
			returned := atomic.LoadUint64(&m.ledger(a, cpu, p).Returned)
			overtaken = overtaken || returned > a.mark.taken[cpu][p]
			sum += returned
		}
	}
	still := sum == a.mark.returned
	a.mark.returned = sum
	if !overtaken && !still {
		return 0
	}
	var back uint64
	for cpu := range m.cpus {
		for p := range PoolCount {
			ledger, before := m.ledger(a, cpu, p), a.mark.taken[cpu][p]
			returned := atomic.LoadUint64(&ledger.Returned)
			if returned < before && atomic.CompareAndSwapUint64(&ledger.Returned, returned, before) {
				atomic.AddUint64(&m.pool(a, p).InUse, returned-before)
				back += before - returned
			}
			a.mark.taken[cpu][p] = atomic.LoadUint64(&ledger.Taken)
		}
	}
	a.mark.returned += back
	return back
}

// Keep returns lost buffers until ctx ends. Then it closes the meter.
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
		}
	}
}
