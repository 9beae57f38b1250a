package buffers

import (
	"fmt"
	"sync/atomic"
)

// PoolCount is how many pools a virtual adapter has.
const PoolCount = 5

// names of the pools in the order entstat prints them. Their buffers have 512,
// 2048, 16384, 32768 and 65536 bytes: that follows from the memory that real
// entstat outputs print per pool, and is what Linux's ibmveth driver has.
var names = [PoolCount]string{"Tiny", "Small", "Medium", "Large", "Huge"}

// Names are the pools' names in entstat's order: Tiny, Small, Medium, Large, Huge.
func Names() []string { return names[:] }

// Size is how many buffers a pool has: Min are registered as long as memory of
// the pool is left, Max is all there can be.
type Size struct{ Min, Max uint64 }

// Wanted is how an adapter's buffers should be.
type Wanted struct {
	Node    string // the partition
	Adapter string // entN
	Pools   [PoolCount]Size
	Open    bool // something uses the adapter: an interface or an SEA
	Cut     bool // the hypervisor switch cuts large frames before it delivers them
}

// Pool has the counts that entstat -d prints of a pool; in buffers, but Refused.
type Pool struct {
	Size
	Allocated        uint64 // now
	Registered       uint64 // of those, holding no frame
	MaxAllocated     uint64 // since the adapter was opened
	LowestRegistered uint64 // since then
	Refused          uint64 // frames that found no buffer, since then
}

// Counts are an adapter's buffers now.
type Counts struct {
	Pools [PoolCount]Pool
	// ReceiverFailures are the frames sent by this adapter that found no buffer
	// at their receiver, since the adapter was opened.
	ReceiverFailures uint64
}

// Refused is how many frames found no buffer at this adapter.
func (c Counts) Refused() uint64 {
	var n uint64
	for _, p := range c.Pools {
		n += p.Refused
	}
	return n
}

// Follow makes the buffers what is wanted, of the cables that the lab has now.
// The history and counts of an adapter that is opened, or whose pools change, start
// from zero.
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
		atomic.StoreUint64(&m.pools.values[a.slot].Cut, cut)
		if !a.set || a.want.Pools != w.Pools || w.Open && !a.want.Open {
			m.open(a, w)
		}
		a.want, a.set = w, true
	}
	return nil
}

// open sets the pools up as the driver does when the adapter is opened. What is
// still on its way stays in use.
func (m *Meter) open(a *adapter, w Wanted) {
	for i, s := range w.Pools {
		p := m.pool(a, i)
		allocated := min(s.Max, s.Min+atomic.LoadUint64(&p.InUse))
		atomic.StoreUint64(&p.Min, s.Min)
		atomic.StoreUint64(&p.Max, s.Max)
		atomic.StoreUint64(&p.Allocated, allocated)
		atomic.StoreUint64(&p.Highest, allocated)
		atomic.StoreUint64(&p.Lowest, allocated)
		a.refused[i] = atomic.LoadUint64(&p.Refused)
	}
	a.failures = a.sent()
}

// sent is how many frames of this adapter found no buffer at their receiver.
func (a *adapter) sent() uint64 {
	var n uint64
	for _, c := range a.cables {
		n += atomic.LoadUint64(&c.port.Failures)
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
	for i := range c.Pools {
		x, p := &c.Pools[i], m.pool(a, i)
		x.Size = a.want.Pools[i]
		x.Allocated = atomic.LoadUint64(&p.Allocated)
		inUse := atomic.LoadUint64(&p.InUse)
		// The two are read one after the other while frames pass.
		x.Registered = x.Allocated - min(x.Allocated, inUse)
		x.MaxAllocated = max(x.Allocated, atomic.LoadUint64(&p.Highest))
		x.LowestRegistered = min(x.Registered, atomic.LoadUint64(&p.Lowest))
		x.Refused = atomic.LoadUint64(&p.Refused) - a.refused[i]
	}
	return c, nil
}
