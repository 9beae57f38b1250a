package wire

import (
	"errors"
	"fmt"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// The VLAN instances of a port are devices of their own, but a port has one line. Where
// there are several, what they send is led through one more device, an IFB,
// whose token bucket has the port's rate; it hands each frame back to the device
// that it came from. Large frames stay whole on that way, and a sender whose
// frames wait there is slowed down as by a bucket of its own.

// errNoLines says why VLAN instances do not share a rate here.
var errNoLines = errors.New("this kernel has no IFB devices")

// makeLine makes the device; false if this kernel has no such.
func (s *netns) makeLine(attrs netlink.LinkAttrs) (bool, error) {
	err := s.nl.LinkAdd(&netlink.Ifb{LinkAttrs: attrs})
	if errors.Is(err, unix.EOPNOTSUPP) {
		return false, nil
	}
	return err == nil, err
}

// applyLine leads what a device sends through its line, or does so no more.
func (s *netns) applyLine(name string, index int, line string) error {
	d := s.device(name)
	if d.line == line {
		return nil
	}
	s.log("share line", name, "line", line)
	if err := s.classify(index, line != ""); err != nil {
		return fmt.Errorf("share line %s: %w", line, err)
	}
	d.line = ""
	if line == "" {
		return nil
	}
	to, err := s.nl.LinkByName(line)
	if err == nil {
		err = s.in(func() error { return redirect(index, to.Attrs().Index, netlink.HANDLE_MIN_EGRESS, 1, everything()) })
	}
	if err != nil {
		return fmt.Errorf("share line %s: %w", line, err)
	}
	d.line = line
	return nil
}

// OwnRates says why the VLAN instances of a port have its line rate each to themselves
// in this lab; nil if they share it, or if no port has several.
func (n *Network) OwnRates() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.netns {
		for _, d := range s.devices {
			if d.missing {
				return errNoLines
			}
		}
	}
	return nil
}
