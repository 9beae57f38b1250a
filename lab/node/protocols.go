package node

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"seaworthy/internal/parse/linewise"
	"seaworthy/lab/wire"
)

// Protocols are a node's protocol counters since it has booted. One that is
// smaller than it was then is not a counter: sockets in use, not packets.
func (cs Counters) Protocols(node string) (map[string]uint64, error) {
	out, err := cs.kernelProtocols(node)
	if b := cs.sim.boots.get(node); b != nil && err == nil {
		for k, was := range b.protocols {
			if now, ok := out[k]; ok && now >= was {
				out[k] = now - was
			}
		}
	}
	return out, err
}

// kernelProtocols reads the protocol counters of a node from its namespace.
func (cs Counters) kernelProtocols(node string) (map[string]uint64, error) {
	out := map[string]uint64{}
	for _, path := range []string{"/proc/net/snmp", "/proc/net/netstat"} {
		text, err := cs.sim.ReadFile(node, path)
		if err != nil {
			return nil, err
		}
		t, err := linewise.ParseProcNet(text)
		if err == nil && len(t.Unknown) > 0 {
			err = fmt.Errorf("line %d: names and numbers do not match", t.Unknown[0].Number)
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", node, path, err)
		}
		maps.Copy(out, t.Counters())
	}
	return out, nil
}

// LargeSends returns the large sends of a node over the adapters that carry IP.
func (cs Counters) LargeSends(node string) (LargeSend, error) {
	var all LargeSend
	if cs.sim.LargeSend == nil {
		return all, errors.New("this lab has no meter for them")
	}
	_, n := cs.sim.Node(node)
	for _, a := range n.Adapters {
		_, held := cs.sim.Stores[node].Holder(a.Name)
		if held || len(cs.sim.Stores[node].Addresses(strings.Replace(a.Name, "ent", "en", 1))) == 0 {
			continue // carries no IP of its own
		}
		l, err := cs.sim.LargeSend(wire.End{Namespace: node, Device: wire.DeviceName(a.Name)})
		if err != nil {
			return all, err
		}
		all.Frames += l.Frames
		all.Bytes += l.Bytes
		all.Biggest = max(all.Biggest, l.Biggest)
	}
	return all, nil
}
