package e2e

import "fmt"

// A misset is one wrong setting in an otherwise healthy lab.
type misset struct {
	lab  string   // topology
	host string   // where it is done
	do   string   // the command line that does it
	want []string // "R001 lpar1:en0": findings that are more than notes, all of them
}

func found(ids ...string) []string { return append([]string{}, ids...) }

func set(device, values string) string   { return "chdev -l " + device + " -a " + values }
func later(device, values string) string { return "chdev -l " + device + " -a " + values + " -P" }

// no confirms, as restricted tunables want.
func no(option string) string { return "echo yes | no -p -o " + option }

// off is set for what an interface does not change while it is up.
func off(iface, values string) string {
	return fmt.Sprintf("chdev -l %[1]s -a state=down && chdev -l %[1]s -a state=detach && chdev -l %[1]s -a %[2]s "+
		"&& chdev -l %[1]s -a state=up && mkdev -l inet0", iface, values)
}

// free is set for what an adapter does not change below its interface.
func free(iface, adapter, values string) string {
	return fmt.Sprintf("chdev -l %[1]s -a state=down && chdev -l %[1]s -a state=detach && chdev -l %[2]s -a %[3]s "+
		"&& chdev -l %[1]s -a state=up && mkdev -l inet0", iface, adapter, values)
}

// rebuilt is set for what no adapter changes below an SEA: the SEA is taken
// away and configured again.
func rebuilt(iface, sea, adapter, values string) string {
	return fmt.Sprintf("chdev -l %[1]s -a state=down && chdev -l %[1]s -a state=detach && rmdev -l %[2]s && chdev "+
		"-l %[3]s -a %[4]s && mkdev -l %[2]s && chdev -l %[1]s -a state=up && mkdev -l inet0", iface, sea, adapter, values)
}

// singles has every attribute that a rule looks at, wrong on one element.
var singles = []misset{
	{"two-systems", "lpar1", "true", found("R001 lpar1:en0", "R001 lpar2:en0")},
	{"healthy", "lpar1", "true", found()},
	{"shared", "lpar1", "true", found()},
	{"jumbo", "lpar1", "true", found()},
	{"ports", "lpar1", "true", found()},

	// largesend of a client
	{"healthy", "lpar1", set("en0", "mtu_bypass=off"), found("R001 lpar1:en0")},
	{"healthy", "lpar2", set("en0", "mtu_bypass=off"), found("R001 lpar2:en0")},
	{"healthy", "lpar1", "ifconfig en0 -largesend", found("R002 lpar1:en0")},
	{"two-systems", "lpar1", "ifconfig en0 largesend", found("R001 lpar2:en0", "R002 lpar1:en0")},
	{"healthy", "lpar1", later("en0", "mtu_bypass=off"), found("R002 lpar1:en0")},
	{"two-systems", "lpar1", later("en0", "mtu_bypass=on"), found("R001 lpar2:en0", "R002 lpar1:en0")},
	{"healthy", "lpar1", free("en0", "ent0", "chksum_offload=no"), found("R003 lpar1:ent0")},
	{"healthy", "lpar2", free("en0", "ent0", "chksum_offload=no"), found("R003 lpar2:ent0")},
	{"healthy", "lpar1", later("ent0", "chksum_offload=no"), found("R003 lpar1:ent0")},
	{"healthy", "lpar1", "ifconfig en0 down", found("R082 lpar1:en0")},
	{"healthy", "lpar1", set("en0", "state=down"), found("R082 lpar1:en0")},
	{"healthy", "lpar1", later("en0", "state=down"), found("R082 lpar1:en0")},

	// mtu of a client
	{"healthy", "lpar1", off("en0", "mtu=9000"), found("R020 lpar1:en0")},
	{"healthy", "lpar1", off("en0", "mtu=1400"), found("R024 lpar1:en0")},
	{"healthy", "lpar1", later("en0", "mtu=9000"), found("R020 lpar1:en0")},
	{"healthy", "lpar1", off("en0", "mtu=65390"), found("R020 lpar1:en0")},
	{"jumbo", "lpar1", off("en0", "mtu=1500"), found("R024 lpar1:en0")},
	{"jumbo", "lpar1", off("en0", "mtu=65390"), found("R020 lpar1:en0")},
	{"shared", "lpar3", off("en0", "mtu=9000"), found("R020 lpar3:en0")},

	// addresses
	{"healthy", "lpar2", set("en0", "alias4=10.10.10.11,255.255.255.0"), found("R195 lpar1:en0", "R195 lpar2:en0")},
	{"healthy", "lpar1", set("en0", "netmask=255.255.255.240"), found("R196 lpar1:en0")},

	// TCP
	{"healthy", "lpar1", set("en0", "rfc1323=0"), found("R071 lpar1:en0")},
	{"healthy", "lpar1", set("en0", "tcp_sendspace=65536"), found("R073 lpar1:en0")},
	{"healthy", "lpar2", set("en0", "tcp_recvspace=16384"), found("R073 lpar2:en0")},
	{"healthy", "lpar2", set("en0", "tcp_recvspace=16384 -a tcp_sendspace=16384"), found("R073 lpar2:en0")},
	{"healthy", "lpar1", set("en0", "tcp_recvspace=1048576"), found("R074 lpar1:no")},
	{"healthy", "lpar1", "ifconfig en0 tcp_recvspace 65536", found("R073 lpar1:en0")},
	{"healthy", "lpar1", "ifconfig en0 rfc1323 0", found("R071 lpar1:en0")},
	{"healthy", "lpar1", set("en0", "tcp_nodelay=1"), found()},
	{"healthy", "lpar1", no("use_isno=0"), found("R072 lpar1:no")},
	{"healthy", "lpar1", no("sb_max=262144"), found("R074 lpar1:no")},
	{"healthy", "lpar1", no("tcp_sendspace=524288"), found("R072 lpar1:en0")},
	{"healthy", "lpar1", no("tcp_recvspace=524288"), found("R072 lpar1:en0")},
	{"healthy", "lpar1", no("tcptr_enable=1"), found("R106 lpar1:no")},
	{"healthy", "lpar1", no("tcp_tcpsecure=4"), found("R106 lpar1:no")},
	{"healthy", "lpar1", no("ipforwarding=1"), found("R009 vios1:ent5")},
	{"healthy", "lpar1", "no -o rfc1323=1", found("R081 lpar1:no")},
	{"healthy", "lpar1", "no -r -o sb_max=2097152", found("R081 lpar1:no")},
	{"healthy", "lpar1", "no -o sb_max=262144", found("R074 lpar1:no")},
	{"healthy", "lpar1", no("tcp_nodelayack=1"), found()},
	{"healthy", "lpar1", no("sack=1"), found()},

	// receive buffers
	{"healthy", "lpar1", free("en0", "ent0", "buf_mode=min"), found("R030 lpar1:ent0")},
	{"healthy", "lpar1", free("en0", "ent0", "max_buf_small=4096"), found("R031 vios1:ent4")},
	{"healthy", "lpar1", free("en0", "ent0", "min_buf_small=1024"), found("R031 vios1:ent4")},
	{"healthy", "lpar1", free("en0", "ent0", "max_buf_huge=24"), found()},
	{"healthy", "vios1", rebuilt("en5", "ent5", "ent4", "max_buf_small=1024"), found("R031 vios1:ent4")},
	{"healthy", "vios1", rebuilt("en5", "ent5", "ent4", "buf_mode=min"), found("R030 vios1:ent4")},
	{"healthy", "vios1", rebuilt("en5", "ent5", "ent4", "chksum_offload=no"), found("R003 vios1:ent4")},
	{"healthy", "vios1", later("ent4", "max_buf_small=4096"), found("R081 vios1:ent4")},
	{"healthy", "vios1", later("ent4", "max_buf_small=1024"), found("R031 vios1:ent4")},
	{"healthy", "lpar1", set("en0", "thread=on"), found()},
	{"healthy", "lpar1", free("en0", "ent0", "platform_lso=no"), found()},
	{"healthy", "lpar1", free("en0", "ent0", "dcbflush_local=yes"), found()},

	// SEA
	{"healthy", "vios1", set("ent5", "largesend=0"), found("R004 vios1:ent5")},
	{"healthy", "vios1", "ioscli chdev -dev ent5 -attr largesend=0", found("R004 vios1:ent5")},
	{"healthy", "vios2", "ioscli chdev -dev ent5 -attr largesend=0 -perm", found("R004 vios2:ent5")},
	{"healthy", "vios1", set("ent5", "large_receive=no"), found("R008 vios1:ent5")},
	{"healthy", "vios1", set("ent5", "jumbo_frames=yes"), found("R020 vios1:ent5")},
	{"healthy", "vios1", set("ent5", "thread=0"), found()},
	{"healthy", "vios1", set("ent5", "accounting=enabled"), found()},
	{"healthy", "vios1", set("ent5", "adapter_reset=yes"), found("R046 vios1:ent5")},
	{"healthy", "vios1", set("ent5", "queue_size=1024"), found()},
	{"healthy", "vios1", later("ent5", "queue_size=16384"), found()},
	{"shared", "vios1", set("ent5", "largesend=0"), found("R004 vios1:ent5")},
	{"jumbo", "vios1", set("ent5", "jumbo_frames=no"), found("R023 vios1:ent5")},

	// the port below it
	{"healthy", "vios1", later("ent0", "large_send=no"), found("R005 vios1:ent0")},
	{"healthy", "vios1", rebuilt("en5", "ent5", "ent0", "large_send=no"), found("R005 vios1:ent0")},
	{"healthy", "vios1", rebuilt("en5", "ent5", "ent0", "large_receive=no"), found("R008 vios1:ent0")},
	{"healthy", "vios1", rebuilt("en5", "ent5", "ent0", "chksum_offload=no"), found("R006 vios1:ent0")},
	{"healthy", "vios1", rebuilt("en5", "ent5", "ent0", "jumbo_frames=yes"), found("R020 vios1:ent0")},
	{"healthy", "vios1", rebuilt("en5", "ent5", "ent0", "flow_ctrl=no"), found("R040 vios1:ent0")},
	{"healthy", "vios1", later("ent0", "flow_ctrl=no"), found("R040 vios1:ent0")},
	{"healthy", "vios1", rebuilt("en5", "ent5", "ent0", "media_speed=10000_Full_Duplex"), found()},
	{"jumbo", "vios1", rebuilt("en5", "ent5", "ent0", "jumbo_frames=no"), found("R020 vios1:ent0")},

	// the VIOS's own interface
	{"healthy", "vios1", set("en5", "tcp_sendspace=65536"), found("R073 vios1:en5")},
	{"healthy", "vios1", set("en5", "rfc1323=0"), found("R071 vios1:en5")},
	{"healthy", "vios1", set("en5", "mtu_bypass=on"), found()},
	{"healthy", "vios1", no("use_isno=0"), found("R072 vios1:no")},
	{"healthy", "vios1", "ifconfig en5 down", found("R082 vios1:en5")},
	{"jumbo", "vios1", off("en5", "mtu=1500"), found("R024 vios1:en5")},

	// ports of one's own
	{"ports", "lpar1", set("en0", "mtu_bypass=off"), found("R007 lpar1:en0")},
	{"ports", "lpar1", free("en0", "ent0", "large_send=no"), found("R007 lpar1:ent0")},
	{"ports", "lpar1", free("en0", "ent0", "large_receive=no"), found()},
	{"ports", "lpar1", free("en0", "ent0", "chksum_offload=no"), found("R006 lpar1:ent0")},
	{"ports", "lpar1", free("en0", "ent0", "jumbo_frames=yes"), found("R021 lpar1:ent0")},
	{"ports", "lpar1", free("en0", "ent0", "flow_ctrl=no"), found("R040 lpar1:ent0")},
	{"ports", "lpar1", off("en1", "mtu=1500"), found("R024 lpar1:en1")},
	{"ports", "lpar1", free("en1", "ent1", "queues_rx=8"), found("R077 lpar1:ent1")},
	{"ports", "lpar1", free("en1", "ent1", "rx_max_pkts=1024"), found("R077 lpar1:ent1")},
	{"ports", "lpar1", set("en1", "tcp_recvspace=524288"), found()},
}
