package pathmtu

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// neighbour is an entry of a host's ARP table.
type neighbour struct {
	address netip.Addr
	mac     [6]byte
}

// universal says that a maker gave the address to a port. Those of virtual
// adapters are given by the hypervisor, which sets the bit of locally
// administered addresses (IEEE 802, second bit of the first byte).
func (n neighbour) universal() bool { return n.mac[0]&3 == 0 && n.mac != [6]byte{} }

var (
	// arp -an of AIX and of others: NAME (ADDRESS) at MAC [ethernet] …
	arpLine = regexp.MustCompile(`\(([0-9.]+)\) at ([0-9A-Fa-f:]+)\s`)
	// /proc/net/arp: address, type 0x1 for Ethernet, flags 0x2 for complete, MAC.
	procLine = regexp.MustCompile(`^([0-9.]+)\s+0x1\s+0x([0-9a-f]+)\s+([0-9A-Fa-f:]+)\s`)
)

// parseNeighbours reads arp -an or /proc/net/arp. Lines that are no complete
// entry are not taken.
func parseNeighbours(text string) []neighbour {
	var out []neighbour
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n") + " "
		ip, mac := "", ""
		if m := arpLine.FindStringSubmatch(line); m != nil {
			ip, mac = m[1], m[2]
		} else if m := procLine.FindStringSubmatch(line); m != nil {
			if flags, err := strconv.ParseUint(m[2], 16, 16); err != nil || flags&2 == 0 {
				continue
			}
			ip, mac = m[1], m[3]
		}
		a, err := netip.ParseAddr(ip)
		hw, ok := parseMAC(mac)
		if err != nil || !ok {
			continue
		}
		out = append(out, neighbour{a, hw})
	}
	return out
}

// parseMAC reads six bytes in hexadecimal, with or without leading zeros.
func parseMAC(s string) (hw [6]byte, ok bool) {
	parts := strings.Split(s, ":")
	if len(parts) != len(hw) {
		return hw, false
	}
	for i, x := range parts {
		n, err := strconv.ParseUint(x, 16, 8)
		if err != nil || len(x) > 2 {
			return hw, false
		}
		hw[i] = byte(n)
	}
	return hw, true
}
