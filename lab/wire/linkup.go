package wire

import (
	"context"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/vishvananda/netlink"
	ns "github.com/vishvananda/netns"
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

// Watch calls changed after a node with Linux has given one of its devices another MTU,
// until ctx ends.
func (n *Network) Watch(ctx context.Context, changed func()) error {
	for _, name := range n.Layout.Linux {
		events := make(chan netlink.LinkUpdate, 16)
		if err := netlink.LinkSubscribeAt(ns.NsHandle(n.netns[name].fd), events, ctx.Done()); err != nil {
			return fmt.Errorf("%s: watch its devices: %w", name, err)
		}
		go func() {
			mtu := map[string]int{}
			for e := range events {
				a := e.Attrs()
				if was := mtu[a.Name]; was != a.MTU {
					mtu[a.Name] = a.MTU
					changed()
				}
			}
		}()
	}
	return nil
}
