package buffers

import (
	"sync/atomic"

	"github.com/cilium/ebpf"
)

// Programs returns what runs for every frame.
func (m *Meter) Programs() []*ebpf.Program {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := []*ebpf.Program{m.returning}
	for _, h := range m.hypervisors {
		out = append(out, h.take)
	}
	return out
}

// IDs are the kernel's numbers of the programs.
func (m *Meter) IDs() (out []ebpf.ProgramID, err error) {
	for _, p := range m.Programs() {
		i, err := p.Info()
		if err != nil {
			return nil, err
		}
		id, _ := i.ID()
		out = append(out, id)
	}
	return out, nil
}

// Taken is how many buffers an adapter's frames have taken, by pool.
func (m *Meter) Taken(node, name string) (out [PoolCount]uint64) {
	a := m.adapters[[2]string{node, name}]
	for cpu := range m.cpus {
		for p := range out {
			out[p] += atomic.LoadUint64(&m.ledger(a, cpu, p).Taken)
		}
	}
	return out
}

// Cables is how many cables lead to an adapter.
func (m *Meter) Cables(node, name string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.adapters[[2]string{node, name}].cables)
}

// Held is how many buffers of each pool hold a frame, by the pools' own count and
// by the sum of the ledgers'.
func (m *Meter) Held(node, name string) (pools, ledgers [PoolCount]int64) {
	a := m.adapters[[2]string{node, name}]
	for p := range pools {
		pools[p] = int64(atomic.LoadUint64(&m.pool(a, p).InUse))
		for cpu := range m.cpus {
			l := m.ledger(a, cpu, p)
			ledgers[p] += int64(atomic.LoadUint64(&l.Taken) - atomic.LoadUint64(&l.Returned))
		}
	}
	return pools, ledgers
}
