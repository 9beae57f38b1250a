package fleet

import (
	"bytes"
	"fmt"
	"net/netip"
	"strings"
)

// network is one configured interface.
type network struct {
	name, address, mask, mtu string
	largesend                bool
	window                   string
	mac                      string
}

func (n *network) bits() int {
	bits := 0
	for _, b := range netip.MustParseAddr(n.mask).As4() {
		for ; b != 0; b <<= 1 {
			bits++
		}
	}
	return bits
}

func (n *network) base() netip.Prefix {
	return netip.PrefixFrom(netip.MustParseAddr(n.address), n.bits()).Masked()
}

// short is how AIX writes a network: without the bytes that are all host.
func (n *network) short() string {
	return strings.Join(strings.Split(n.base().Addr().String(), ".")[:n.bits()/8], ".")
}

func ifconfig(nets []network) []byte {
	var b bytes.Buffer
	for _, n := range nets {
		word, flag := "1e084863,480", ""
		if n.largesend {
			word, flag = "1e084863,14c0", "LARGESEND,"
		}
		fmt.Fprintf(&b, "%s: flags=%s<UP,BROADCAST,NOTRAILERS,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT,CHECKSUM_OFFLOAD(ACTIVE),%sCHAIN>\n", n.name, word, flag)
		m := netip.MustParseAddr(n.mask).As4()
		top := n.base().Addr().As4()
		for i := range top {
			top[i] |= ^m[i]
		}
		fmt.Fprintf(&b, "\tinet %s netmask 0x%02x%02x%02x%02x broadcast %s\n", n.address, m[0], m[1], m[2], m[3], netip.AddrFrom4(top))
		fmt.Fprintf(&b, "\t tcp_sendspace %s tcp_recvspace %s rfc1323 1\n", n.window, n.window)
	}
	b.WriteString("lo0: flags=e08084b,c0<UP,BROADCAST,LOOPBACK,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT,LARGESEND,CHAIN>\n")
	b.WriteString("\tinet 127.0.0.1 netmask 0xff000000 broadcast 127.255.255.255\n")
	return b.Bytes()
}

func (h *host) interfaces(nets []network) []byte {
	var b bytes.Buffer
	b.WriteString("Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\n")
	for i, n := range nets {
		in, out := h.rng.Uint64N(9e9), h.rng.Uint64N(9e9)
		link := strings.Split(n.mac, ":")
		for k := range link {
			link[k] = strings.TrimPrefix(link[k], "0")
		}
		for _, to := range [][2]string{{fmt.Sprintf("link#%d", i+2), strings.Join(link, ".")}, {n.short(), n.address}} {
			fmt.Fprintf(&b, "%-5s %-5s %-11s %-17s %10d     0 %10d     0     0\n", n.name, n.mtu, to[0], to[1], in, out)
		}
	}
	for _, to := range [][2]string{{"link#1", ""}, {"127", "127.0.0.1"}} {
		fmt.Fprintf(&b, "lo0   16896 %-11s %-17s      60021     0      60021     0     0\n", to[0], to[1])
	}
	return b.Bytes()
}

func routes(nets []network) []byte {
	var b bytes.Buffer
	b.WriteString("Routing tables\nDestination        Gateway           Flags   Refs     Use  If   Exp  Groups\n\nRoute Tree for Protocol Family 2 (Internet):\n")
	gateway := nets[0].base().Addr().As4()
	gateway[3] = 254
	fmt.Fprintf(&b, "%-18s %-17s UG        3    981273 %-3s      -      -\n", "default", netip.AddrFrom4(gateway), nets[0].name)
	for _, n := range nets {
		fmt.Fprintf(&b, "%-18s %-17s U         8  48123344 %-3s      -      -\n", fmt.Sprintf("%s/%d", n.short(), n.bits()), n.address, n.name)
	}
	b.WriteString("127/8              127.0.0.1         U         4     60021 lo0      -      -\n")
	return b.Bytes()
}
