package node

import (
	"encoding/binary"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"seaworthy/dialect/linux/procnet"
)

// kernelHost is an address as /proc/net prints it: words in the machine's byte order, 1 of IPv4 and 4 of IPv6.
func kernelHost(words []byte) (netip.Addr, bool) {
	var b []byte
	for w := range slices.Chunk(words, 4) {
		if len(w) < 4 {
			return netip.Addr{}, false
		}
		b = binary.BigEndian.AppendUint32(b, binary.NativeEndian.Uint32(w))
	}
	a, ok := netip.AddrFromSlice(b)
	return a.Unmap(), ok
}

// protocols are a node's protocol counters since it has booted. One that is
// smaller than it was then is not a counter: sockets in use, not packets.
func (w *Simulator) protocols(node string) (map[string]uint64, error) {
	out, err := w.kernelProtocols(node)
	if b := w.boots.get(node); b != nil && err == nil {
		for k, was := range b.protocols {
			if now, ok := out[k]; ok && now >= was {
				out[k] = now - was
			}
		}
	}
	return out, err
}

// kernelProtocols are the kernel's protocol counters of a node's namespace.
func (w *Simulator) kernelProtocols(node string) (map[string]uint64, error) {
	out := map[string]uint64{}
	for _, path := range []string{"/proc/net/snmp", "/proc/net/netstat"} {
		text, err := w.ReadFile(node, path)
		if err != nil {
			return nil, err
		}
		t, err := procnet.Parse(text)
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
