package wire

import "fmt"

// Add adds the counters of another end.
func (s *Stats) Add(o Stats) {
	s.TxPackets, s.TxBytes = s.TxPackets+o.TxPackets, s.TxBytes+o.TxBytes
	s.TxErrors, s.TxDropped = s.TxErrors+o.TxErrors, s.TxDropped+o.TxDropped
	s.RxPackets, s.RxBytes = s.RxPackets+o.RxPackets, s.RxBytes+o.RxBytes
	s.RxErrors, s.RxDropped = s.RxErrors+o.RxErrors, s.RxDropped+o.RxDropped
	s.Multicast, s.CRCErrors = s.Multicast+o.Multicast, s.CRCErrors+o.CRCErrors
}

// Stats reads the kernel's counters of an end. Frames that a fault took from
// the cable count as receive errors, as damaged ones do.
func (n *Network) Stats(e End) (Stats, error) {
	s := n.netns[e.Namespace]
	if s == nil {
		return Stats{}, fmt.Errorf("%s: no such namespace in this lab", e.Namespace)
	}
	l, err := s.nl.LinkByName(e.Device)
	if err != nil {
		return Stats{}, fmt.Errorf("%s %s: read counters: %w", e.Namespace, e.Device, err)
	}
	k := l.Attrs().Statistics
	if k == nil {
		return Stats{}, fmt.Errorf("%s %s: the kernel gave no counters", e.Namespace, e.Device)
	}
	n.mu.Lock()
	lost, damaged, err := s.lossErrors(e.Device)
	n.mu.Unlock()
	if err != nil {
		return Stats{}, fmt.Errorf("%s %s: %w", e.Namespace, e.Device, err)
	}
	return Stats{
		TxPackets: k.TxPackets, TxBytes: k.TxBytes, TxErrors: k.TxErrors, TxDropped: k.TxDropped,
		RxPackets: k.RxPackets, RxBytes: k.RxBytes, RxErrors: k.RxErrors + lost + damaged, RxDropped: k.RxDropped,
		Multicast: k.Multicast, CRCErrors: k.RxCrcErrors + damaged,
	}, nil
}

// Since takes off what another reading had. A counter that is smaller now has
// been reset: it stays as it is.
func (s Stats) Since(o Stats) Stats {
	less := func(now, before uint64) uint64 {
		if now < before {
			return now
		}
		return now - before
	}
	return Stats{
		TxPackets: less(s.TxPackets, o.TxPackets), TxBytes: less(s.TxBytes, o.TxBytes),
		TxErrors: less(s.TxErrors, o.TxErrors), TxDropped: less(s.TxDropped, o.TxDropped),
		RxPackets: less(s.RxPackets, o.RxPackets), RxBytes: less(s.RxBytes, o.RxBytes),
		RxErrors: less(s.RxErrors, o.RxErrors), RxDropped: less(s.RxDropped, o.RxDropped),
		Multicast: less(s.Multicast, o.Multicast), CRCErrors: less(s.CRCErrors, o.CRCErrors),
	}
}
