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
func (s *netns) applyLine(device string, index int, line string) error {
	if s.line[device] == line {
		return nil
	}
	q := &netlink.Clsact{QdiscAttrs: netlink.QdiscAttrs{LinkIndex: index, Parent: netlink.HANDLE_CLSACT,
		Handle: netlink.MakeHandle(0xffff, 0)}}
	if s.line[device] != "" {
		if err := s.nl.QdiscDel(q); err != nil && !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.EINVAL) {
			return fmt.Errorf("stop sharing a line: %w", err)
		}
		delete(s.line, device)
	}
	if line == "" {
		return nil
	}
	s.log("share line", device, "line", line)
	to, err := s.nl.LinkByName(line)
	if err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	if err := s.nl.QdiscAdd(q); err != nil {
		return fmt.Errorf("share %s: this kernel has no classifiers for leaving frames (sch_clsact): %w", line, err)
	}
	if err := s.in(func() error {
		return redirect(index, to.Attrs().Index, netlink.HANDLE_MIN_EGRESS, 1, everything())
	}); err != nil {
		return fmt.Errorf("share %s: %w", line, err)
	}
	s.line[device] = line
	return nil
}

// OwnRates says why the VLAN instances of a port have its line rate each to themselves
// in this lab; nil if they share it, or if no port has several.
func (n *Network) OwnRates() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.netns {
		if len(s.missing) > 0 {
			return errNoLines
		}
	}
	return nil
}
