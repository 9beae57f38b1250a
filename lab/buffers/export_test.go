package buffers

// Taken is how many buffers an adapter's frames have taken, by pool.
func (m *Meter) Taken(node, name string) (out [PoolCount]uint64) {
	a := m.adapters[[2]string{node, name}]
	for cpu := range m.cpus {
		for p := range out {
			out[p] += a.ledger(cpu, p, ledgerTaken).Load()
		}
	}
	return out
}
