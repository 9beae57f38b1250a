package buffers

// mark is where a ledger stood at an earlier look.
type mark struct {
	taken   uint64
	arrived uint64 // of those; or known to be lost
}

// Reconcile gives back what lost frames hold that no later frame of their own
// ledger has shown to be lost, and says how many buffers came back. Call it
// about once a second: that is longer than a CPU leaves arrived packets alone,
// and a queue that moves delivers more often.
func (m *Meter) Reconcile() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	var back uint64
	for _, a := range m.adapters {
		back += a.reconcile()
	}
	return back
}

// reconcile looks whether a frame has arrived that was taken after the mark, or
// none since the look before. Either way what was taken before the mark and has not arrived
// never will. Then this look is the new mark; before, nothing is known.
func (a *adapter) reconcile() uint64 {
	now := make([][PoolCount]mark, len(a.marks))
	overtaken := false
	var arrived uint64
	for cpu := range now {
		for p := range PoolCount {
			n, before := &now[cpu][p], a.marks[cpu][p]
			// In this order: what is taken in between must not seem to arrive.
			n.taken = a.ledger(cpu, p, ledgerTaken).Load()
			n.arrived = n.taken - min(n.taken, a.ledger(cpu, p, ledgerInUse).Load())
			overtaken = overtaken || n.arrived > before.taken
			arrived += n.arrived
		}
	}
	still := arrived == a.arrived // since the look before
	a.arrived = arrived
	if !overtaken && !still {
		return 0
	}
	var back uint64
	for cpu := range now {
		for p := range PoolCount {
			n, before := &now[cpu][p], a.marks[cpu][p]
			if n.arrived < before.taken && a.giveBack(cpu, p, n.taken-n.arrived, before.taken-n.arrived, before.taken) {
				back += before.taken - n.arrived
				a.arrived += before.taken - n.arrived
				n.arrived = before.taken
			}
		}
	}
	a.marks = now
	return back
}

// giveBack takes the oldest frames of a ledger as lost, up to a number, unless
// one moves right now.
func (a *adapter) giveBack(cpu, pool int, held, lost, number uint64) bool {
	if !a.ledger(cpu, pool, ledgerInUse).CompareAndSwap(held, held-lost) {
		return false
	}
	a.word(pool, poolInUse).Add(-lost)
	// Should one come all the same, it is late.
	a.ledger(cpu, pool, ledgerStamp).Store(uint64(pool+1)<<numberBits | number&numberMask)
	a.ledger(cpu, pool, ledgerRepeats).Store(0)
	return true
}
