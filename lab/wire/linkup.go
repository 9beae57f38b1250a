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

// linkIsUp says whether a link carries packets, or cannot now: it or what it is
// plugged into is down.
func (n *Network) linkIsUp(e End) bool {
	l, err := n.netns[e.Namespace].nl.LinkByName(e.Device)
	if err != nil || l.Attrs().Flags&net.FlagUp == 0 {
		return true
	}
	if l.Attrs().OperState == netlink.OperUp {
		return true
	}
	if far, ok := n.far[e]; ok {
		p, err := n.netns[far.Namespace].nl.LinkByName(far.Device)
		return err != nil || p.Attrs().Flags&net.FlagUp == 0
	}
	return !n.livePort(e)
}

// livePort says whether a port of a bridge or bond carries packets.
func (n *Network) livePort(of End) bool {
	for _, d := range n.Layout.Devices {
		if d.Namespace != of.Namespace || d.Bridge != of.Device && d.Bond != of.Device {
			continue
		}
		l, err := n.netns[d.Namespace].nl.LinkByName(d.Device)
		if err == nil && l.Attrs().OperState == netlink.OperUp {
			return true
		}
	}
	return false
}
