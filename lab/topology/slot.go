package topology

// Slot is the virtual slot of a partition that its i-th adapter, from 0, takes if it is a
// virtual one. 0 and 1 are the consoles'.
func Slot(i int) int { return i + 2 }

// PortSlot is the slot of the managed system that a physical adapter is in, one adapter a
// slot; 0 if it is not the system's.
func (s *System) PortSlot(a *Adapter) int {
	slot := 1
	for i := range s.Nodes {
		for j := range s.Nodes[i].Adapters {
			if p := &s.Nodes[i].Adapters[j]; p.Kind == Physical {
				slot++
				if p.MAC == a.MAC {
					return slot
				}
			}
		}
	}
	return 0
}
