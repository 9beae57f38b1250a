package node

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

func kernelAddr(s string) (netip.Addr, bool) {
	v, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		return netip.Addr{}, false
	}
	var b [4]byte
	binary.NativeEndian.PutUint32(b[:], uint32(v))
	return netip.AddrFrom4(b), true
}

// counters reads /proc/net/snmp or /proc/net/netstat: a line of names and a
// line of numbers for each protocol. Keys are as in "Tcp.OutSegs"; what is not
// there is not in the map.
func counters(text []byte) (map[string]uint64, error) {
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	out := map[string]uint64{}
	for i := 0; i+1 < len(lines); i += 2 {
		names, values := strings.Fields(lines[i]), strings.Fields(lines[i+1])
		if len(names) != len(values) || len(names) == 0 || names[0] != values[0] {
			return nil, fmt.Errorf("line %d: names and numbers do not match", i+1)
		}
		proto := strings.TrimSuffix(names[0], ":")
		for k := 1; k < len(names); k++ {
			if v, err := strconv.ParseUint(values[k], 10, 64); err == nil { // MaxConn is -1: no number
				out[proto+"."+names[k]] = v
			}
		}
	}
	return out, nil
}

// protocols are a node's protocol counters since it has booted. One that is
// smaller than it was then is not a counter: sockets in use, not packets.
func (w *Simulator) protocols(node string) (map[string]uint64, error) {
	out, err := w.kernelProtocols(node)
	if b := w.boots.of(node); b != nil && err == nil {
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
		m, err := counters(text)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", node, path, err)
		}
		for k, v := range m {
			out[k] = v
		}
	}
	return out, nil
}
