package graph

import (
	"slices"

	"seaworthy/internal/inventory/model"
)

// Bridges of Linux and Open vSwitch, and their ports.

// isBridge reports whether an element is a bridge of Linux or Open vSwitch that has ports.
func isBridge(e *Element) bool { return e.Is.Kind == model.Interface && len(e.Is.Members) > 0 }

// bridgeOf returns the bridge that an element is a port of; nil without one.
func bridgeOf(e *Element) *Element {
	if e.Is.MemberOf == "" {
		return nil
	}
	over := e.graph.At(model.Ref{Host: e.Host, Element: e.Is.MemberOf})
	if over == nil || !isBridge(over) {
		return nil
	}
	return over
}

// leadsInward reports whether a device leads into its host: to a machine, a container or another
// bridge. What it sends to the outside goes through the bridge that it is a port of.
func leadsInward(e *Element) bool {
	inside := e.Is.Kind == model.Interface && slices.Contains([]string{"tun", "veth", model.OpenVSwitch}, e.Is.Driver)
	return e.Is.Guest != nil || e.Is.Kind == model.Patch || e.Is.Tap == nil && inside
}

// joinsBridges reports whether a port of a bridge is one end of what leads to another bridge.
func joinsBridges(e *Element) bool { return e.Is.Kind == model.Patch || e.Is.Peer != "" }

// leadsOutward reports whether a port of a bridge can lead out of the host.
func leadsOutward(e *Element) bool {
	return e.Is.Kind != model.Interface && e.Is.Kind != model.Patch || e.Is.Tap != nil
}

// Inner returns the devices that lead into the host from a bridge, and from those that patch
// ports and cables join to it: to machines, containers and the host itself. Those that are down are left out.
func Inner(e *Element) []*Element {
	var out []*Element
	next, met := []*Element{e}, map[*Element]bool{e: true}
	for len(next) > 0 {
		b := next[0]
		next = next[1:]
		if !isBridge(b) {
			continue
		}
		for _, m := range b.Down(Member) {
			port := m.To
			if port == nil {
				continue
			}
			peer, _ := firstDown(port, Peer)
			switch {
			case peer.To != nil && peer.To.Is.MemberOf != "":
				if over := bridgeOf(peer.To); over != nil && !met[over] {
					met[over] = true
					next = append(next, over)
				}
			case port.Is.Kind != model.Patch && leadsInward(port) && (port.Is.Up == nil || *port.Is.Up):
				out = append(out, port)
			}
		}
	}
	slices.SortFunc(out, byRef)
	return out
}
