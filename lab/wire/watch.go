package wire

import (
	"context"
	"fmt"

	"github.com/vishvananda/netlink"
	ns "github.com/vishvananda/netns"
)

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
