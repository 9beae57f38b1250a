package wire

import (
	"context"
	"net"
	"slices"
	"time"

	"github.com/vishvananda/netlink"
)

// linkUpWait bounds waitLinkUp: a link that takes longer is left to come up by
// itself.
const linkUpWait = 3 * time.Second

// waitLinkUp waits until links that were just switched on carry packets. The
// kernel notices a plugged cable in a work queue that may run a second later;
// until then the device's queue drops what is sent and its bridge port does
// not forward, and the first connection loses its SYN. Asking for a single
// link makes kernels since 6.8 do that work at once; older ones are waited for.
func (n *Network) waitLinkUp(ctx context.Context, on []End) {
	if len(on) == 0 {
		return
	}
	ends := map[End]bool{}
	for _, e := range on {
		ends[e] = true
		if far, ok := n.far[e]; ok {
			ends[far] = true
		}
	}
	ctx, cancel := context.WithTimeout(ctx, linkUpWait)
	defer cancel()
	// Ports before what they are part of: a bridge or bond has a carrier once a port has.
	for _, d := range slices.Backward(n.Layout.Devices) {
		if !ends[d.End] {
			continue
		}
		ends[End{d.Namespace, d.Bridge}], ends[End{d.Namespace, d.Bond}] = true, true
		for !n.linkIsUp(d.End) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}
}

// linkIsUp says whether a link carries packets, or cannot now: it, what it is plugged
// into or every port of it is down.
func (n *Network) linkIsUp(e End) bool {
	on, carries := n.linkState(e)
	if !on || carries {
		return true
	}
	if far, ok := n.far[e]; ok {
		on, _ := n.linkState(far)
		return !on
	}
	return !slices.ContainsFunc(n.Layout.Devices, func(d Device) bool {
		if d.Namespace != e.Namespace || d.Bridge != e.Device && d.Bond != e.Device {
			return false
		}
		_, carries := n.linkState(d.End)
		return carries
	})
}

func (n *Network) linkState(e End) (on, carries bool) {
	l, err := n.netns[e.Namespace].nl.LinkByName(e.Device)
	if err != nil {
		return false, false
	}
	return l.Attrs().Flags&net.FlagUp != 0, l.Attrs().OperState == netlink.OperUp
}
