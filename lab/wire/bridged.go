package wire

import (
	"errors"
	"fmt"
	"os"
)

// applyLate notes whether a receiver is late, so that frames wait for it in this
// namespace. A frame that has left its partition is the hypervisor's. But the
// kernel charges it to its sender's socket until it has arrived, and a sender
// with a full one waits: then about 90 frames of 1500 bytes of a stream are on
// their way, and no receiver runs out of buffers. What the chains of IP packets
// see of a bridge belongs to no socket any more.
func (s *netns) applyLate(device string, late bool) error {
	d := s.device(device)
	if d.late == late {
		return nil
	}
	d.late = late
	if err := s.in(s.showBridged); err != nil {
		return fmt.Errorf("show bridged frames to the packet filter: %w", err)
	}
	return nil
}

// showBridged lets the chains see bridged packets as long as something here needs
// it: delays or late receivers. The latter do without on a kernel that cannot. The
// caller is on a thread in the namespace.
func (s *netns) showBridged() error {
	needed := len(s.slow.ports) > 0
	for _, d := range s.devices {
		needed = needed || d.late
	}
	err := bridgedSeen(needed)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
