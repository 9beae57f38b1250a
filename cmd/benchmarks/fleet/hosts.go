package fleet

import (
	"fmt"
	"strings"
)

// Shares of hosts, or of systems, that have something set wrong.
const (
	noLargesend  = 0.10 // LPARs without mtu_bypass
	smallBuffers = 0.04 // LPARs whose receive pools ran out
	smallMTU     = 0.03 // LPARs that stayed at 1500 in the backup network
	smallWindow  = 0.05 // LPARs with small socket buffers
	drifting     = 0.03 // LPARs whose next boot differs
	noReceive    = 0.05 // systems whose SEAs have no large_receive
	noThreads    = 0.05 // systems whose SEAs have thread 0
	noJumbo      = 0.03 // systems whose SEAs drop the backup network's frames
)

const (
	production = 100 // VLANs
	backup     = 200
	control    = 4094
	jumbo      = "9000"
)

// common adds what every host tells.
func (h *host) common(level string, adapters, interfaces []string) {
	id := fmt.Sprintf("00%s4C00", h.machine[1:])
	h.ran("uname-a", "", "", "uname -a", fmt.Appendf(nil, "AIX %s 2 7 %s\n", h.name, id))
	h.ran("uname-m", "", "", "uname -m", fmt.Appendf(nil, "%s\n", id))
	h.ran("oslevel-s", "", "", "oslevel -s", []byte(level+"\n"))
	h.ran("lsdev-Cc-adapter", "", "", "lsdev -Cc adapter", []byte(strings.Join(adapters, "\n")+"\n"))
	h.ran("lsdev-Cc-if", "", "", "lsdev -Cc if", []byte(strings.Join(interfaces, "\n")+"\n"))
	h.ran("lsattr-El", "sys0", "", "lsattr -El sys0 -a systemid -a modelname",
		fmt.Appendf(nil, "systemid  IBM,02%s Hardware system identifier False\nmodelname IBM,9080-M9S  Machine name               False\n", h.machine))
	h.ran("lsattr-El", "inet0", "", "lsattr -El inet0",
		fmt.Appendf(nil, "authm    65536 Authentication Methods True\nhostname %s Host Name True\nrout6          IPv6 Route True\nroute          Route True\n", h.name))
	h.ran("lparstat-i", "", "", "lparstat -i", fmt.Appendf(nil, partition, h.name, h.name, h.number, 1+h.rng.IntN(4), 2+h.rng.IntN(8), 128))
	h.ran("netstat-s", "", "", "netstat -s", h.protocols())
	h.ran("no-a", "", "", "no -a", h.tables.noA)
	h.ran("no-L", "", "", "no -L", h.tables.noL)
	h.ran("no-L", "", "use_isno", "no -L use_isno", h.tables.isno)
	h.ran("errpt", "", "", "errpt | head -n 200", nil)
}

const partition = `Node Name                                  : %s
Partition Name                             : %s
Partition Number                           : %d
Type                                       : Shared-SMT-8
Mode                                       : Uncapped
Entitled Capacity                          : %d.00
Partition Group-ID                         : 32770
Shared Pool ID                             : 0
Online Virtual CPUs                        : %d
Maximum Virtual CPUs                       : 16
Minimum Virtual CPUs                       : 1
Online Memory                              : 32768 MB
Variable Capacity Weight                   : %d
`

// standard is how lsdev shows an interface.
func standard(name string) []string {
	n := strings.TrimPrefix(name, "en")
	return []string{name + " Available  Standard Ethernet Network Interface", "et" + n + " Available  IEEE 802.3 Ethernet Network Interface"}
}

// lpar makes a client of both networks.
func (h *host) lpar() {
	h.platform = "aix"
	h.name = fmt.Sprintf("lpar%05d", h.system*perSystem+h.number)
	h.manifest.Environment = "export LC_ALL=C LANG=C;"
	h.common("7200-05-07-2346", []string{
		"ent0 Available  Virtual I/O Ethernet Adapter (l-lan)", "ent1 Available  Virtual I/O Ethernet Adapter (l-lan)",
	}, append(append(standard("en0"), standard("en1")...), "lo0 Available  Loopback Network Interface"))
	wide, bypass, window := jumbo, "on", "262144"
	if h.one(smallMTU) {
		wide = "1500"
	}
	if h.one(noLargesend) {
		bypass = "off"
	}
	if h.one(smallWindow) {
		window = "16384"
	}
	next := bypass
	if h.one(drifting) {
		next = map[string]string{"on": "off", "off": "on"}[bypass]
	}
	nets := []network{
		{"en0", h.production(), "255.255.255.0", "1500", bypass == "on", window, h.mac(0)},
		{"en1", h.backup(), "255.255.0.0", wide, bypass == "on", window, h.mac(1)},
	}
	h.ran("ifconfig-a", "", "", "ifconfig -a", ifconfig(nets))
	h.ran("netstat-in", "", "", "netstat -in", h.interfaces(nets))
	h.ran("netstat-rn", "", "", "netstat -rn", routes(nets))
	for _, n := range nets {
		h.device(n.name, h.tables.iface, map[string]string{"netaddr": n.address, "netmask": n.mask, "mtu": n.mtu, "mtu_bypass": next,
			"state": "up", "tcp_sendspace": window, "tcp_recvspace": window, "rfc1323": "1"})
	}
	for i, vlan := range []int{production, backup} {
		name := fmt.Sprintf("ent%d", i)
		starved, mode := h.one(smallBuffers), "max_min"
		if starved {
			mode = "min"
		}
		h.device(name, h.tables.virtual, map[string]string{"buf_mode": mode})
		h.allowed(name)
		h.statistics(name, h.client(name, h.mac(i), vlan, starved))
	}
}
