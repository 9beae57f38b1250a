package fleet

import (
	"fmt"
	"maps"
)

// vios makes one half of a pair: ent0 and ent1 are ports, ent2 their
// EtherChannel, ent3 and ent4 the trunks, ent5 the control channel, ent6 the SEA.
func (h *host) vios() {
	h.platform = "vios"
	h.name = fmt.Sprintf("vios%05d%c", h.system, 'a'+rune(h.number-1))
	h.manifest.Environment = "export LC_ALL=C LANG=C;"
	interfaces := standard("en6")
	for _, n := range []string{"en0", "en1", "en2", "en3", "en4", "en5"} {
		interfaces = append(interfaces, standard(n)[0])
	}
	h.common("7200-05-07-2346", []string{
		"ent0 Available 00-00 PCIe3 2-Port 10GbE NIC&ROCE SR Adapter",
		"ent1 Available 00-01 PCIe3 2-Port 10GbE NIC&ROCE SR Adapter",
		"ent2 Available       EtherChannel / IEEE 802.3ad Link Aggregation",
		"ent3 Available       Virtual I/O Ethernet Adapter (l-lan)",
		"ent4 Available       Virtual I/O Ethernet Adapter (l-lan)",
		"ent5 Available       Virtual I/O Ethernet Adapter (l-lan)",
		"ent6 Available       Shared Ethernet Adapter",
	}, append(interfaces, "lo0 Available  Loopback Network Interface"))
	h.ran("ioslevel", "", "", "ioscli ioslevel", []byte("3.1.4.31\n"))
	h.ran("lsmap-all-net", "", "", "ioscli lsmap -all -net", h.lsmap())
	nets := []network{{"en6", h.production(), "255.255.255.0", "1500", true, "262144", h.mac(0)}}
	h.ran("ifconfig-a", "", "", "ifconfig -a", ifconfig(nets))
	h.ran("netstat-in", "", "", "netstat -in", h.interfaces(nets))
	h.ran("netstat-rn", "", "", "netstat -rn", routes(nets))

	// Both VIOSes of a system are set alike.
	b := bridge{receive: h.shared.Float64() >= noReceive, threads: h.shared.Float64() >= noThreads, jumbo: h.shared.Float64() >= noJumbo}
	yes := map[bool]string{true: "yes", false: "no"}
	one := map[bool]string{true: "1", false: "0"}
	port := map[string]string{"jumbo_frames": yes[b.jumbo], "large_receive": yes[b.receive]}
	h.device("ent0", h.tables.physical, port)
	h.device("ent1", h.tables.physical, port)
	h.device("ent2", h.tables.channel, map[string]string{"adapter_names": "ent0,ent1", "use_jumbo_frame": yes[b.jumbo]})
	for _, trunk := range []string{"ent3", "ent4", "ent5"} {
		h.device(trunk, h.tables.virtual, nil)
		h.allowed(trunk)
	}
	h.device("ent6", h.tables.sea, map[string]string{"real_adapter": "ent2", "virt_adapters": "ent3,ent4", "ctl_chan": "ent5", "ha_mode": "auto",
		"pvid": fmt.Sprint(production), "pvid_adapter": "ent3", "thread": one[b.threads], "largesend": "1", "large_receive": yes[b.receive],
		"jumbo_frames": yes[b.jumbo], "accounting": "enabled"})
	own := map[string]string{"netaddr": nets[0].address, "netmask": nets[0].mask, "mtu_bypass": "on", "state": "up",
		"tcp_sendspace": "262144", "tcp_recvspace": "262144", "rfc1323": "1"}
	h.device("en6", h.tables.iface, maps.Clone(own))
	h.bridgeStatistics(b)
}

func (h *host) lsmap() []byte {
	where := func(slot int) string { return fmt.Sprintf("U9080.M9S.%s-V%d-C%d-T1", h.machine, h.number, slot) }
	return fmt.Appendf(nil, `SVEA   Physloc
------ --------------------------------------------
ent3   %s

SEA                   ent6
Backing device        ent2
Status                Available
Physloc

SVEA   Physloc
------ --------------------------------------------
ent4   %s

SEA                   ent6
Backing device        ent2
Status                Available
Physloc

`, where(3), where(4))
}
