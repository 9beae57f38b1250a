package effect

import (
	"sort"
	"strings"

	"seaworthy/catalog"
)

// Outcome of changing an attribute in this lab.
type Outcome string

const (
	Kernel   Outcome = "kernel"   // changes what the kernel does with packets
	Recorded Outcome = "recorded" // kept in the ODM, printed, nothing else
	Refused  Outcome = "refused"  // the command fails
)

// Entry is one line of lab effects.
type Entry struct {
	Layer     string  `json:"layer"`
	Attribute string  `json:"attribute"`
	Outcome   Outcome `json:"outcome"`
	What      string  `json:"what"` // the kernel setting, or why there is none
}

// Machine is what a lab's machine has; the zero value has all.
type Machine struct {
	NoBuffers string // why virtual adapters have no receive buffers that can run out
}

type known struct {
	outcome Outcome
	what    string
}

// effects by layer and attribute. What is not here is recorded only.
var effects = map[string]map[string]known{
	"interface": {
		"mtu":           {Kernel, "MTU of enN; refused while the interface is up. On a physical port not above what the port passes"},
		"mtu_bypass":    {Kernel, "TSO and GSO of enN, if entN chksum_offload=yes: frames of 64 KB leave whole; off: TCP sends two segments at a time, as large as frames (gso_max_segs). plso acts as on: both ends of a lab are AIX"},
		"state":         {Kernel, "link up or down; detach also takes the address and the routes by it"},
		"netaddr":       {Kernel, "address of enN"},
		"netmask":       {Kernel, "prefix length of the address of enN"},
		"alias4":        {Kernel, "further addresses of enN"},
		"tcp_sendspace": {Kernel, "net.ipv4.tcp_wmem of the namespace, twice the value: the kernel counts overhead, half is payload. One set per namespace: the first configured interface decides. An application's setsockopt stands above it"},
		"tcp_recvspace": {Kernel, "net.ipv4.tcp_rmem of the namespace, twice the value, as for tcp_sendspace"},
		"rfc1323":       {Kernel, "net.ipv4.tcp_window_scaling and tcp_timestamps of the namespace; the first configured interface decides"},
		"tcp_nodelay":   {Recorded, "the kernel has TCP_NODELAY per socket only, no default for an interface"},
		"tcp_mssdflt":   {Recorded, "the kernel always learns the path MTU; there is no default MSS to use instead"},
		"remmtu":        {Recorded, "the kernel always learns the path MTU"},
		"thread":        {Recorded, "threaded NAPI would be the twin, but a veth pair passes large frames beside NAPI"},
		"netaddr6":      {Recorded, "this lab is IPv4 only"},
		"alias6":        {Recorded, "this lab is IPv4 only"},
		"prefixlen":     {Recorded, "this lab is IPv4 only"},
	},
	"virtual-adapter": {
		"chksum_offload":  {Kernel, "transmit and receive checksum offload of enN; without it largesend has no effect"},
		"min_buf_tiny":    {Kernel, minBuffers},
		"max_buf_tiny":    {Kernel, maxBuffers},
		"min_buf_small":   {Kernel, minBuffers},
		"max_buf_small":   {Kernel, maxBuffers},
		"min_buf_medium":  {Kernel, minBuffers},
		"max_buf_medium":  {Kernel, maxBuffers},
		"min_buf_large":   {Kernel, minBuffers},
		"max_buf_large":   {Kernel, maxBuffers},
		"min_buf_huge":    {Kernel, minBuffers},
		"max_buf_huge":    {Kernel, maxBuffers},
		"buf_mode":        {Kernel, bufferMode},
		"min_buf_control": {Recorded, "no control packets pass"},
		"max_buf_control": {Recorded, "no control packets pass"},
		"platform_lso":    {Recorded, "every end of a lab takes native largesend, so platform largesend is never needed"},
		"poll_uplink":     {Recorded, "the link of a virtual adapter is always up here"},
		"dcbflush_local":  {Recorded, "a cache instruction of POWER"},
		"alt_addr":        {Recorded, "the hardware address is the topology's"},
		"use_alt_addr":    {Recorded, "the hardware address is the topology's"},
		"copy_buffs":      {Recorded, "a veth pair copies nothing"},
		"copy_bytes":      {Recorded, "a veth pair copies nothing"},
	},
	"physical-adapter": {
		"chksum_offload": {Kernel, "transmit and receive checksum offload of the port; without it large_send has no effect"},
		"large_send":     {Kernel, "TSO and GSO of the port, if chksum_offload=yes; below an SEA also needs largesend=1 there"},
		"large_receive":  {Kernel, "GRO at the port; below an SEA also needs large_receive=yes there"},
		"jumbo_frames":   {Kernel, "MTU of the port: jumbo_size less 14, or 1500"},
		"jumbo_size":     {Kernel, "MTU of the port, less 14, while jumbo_frames=yes"},
		"queues_rx":      {Kernel, "receive queues of the port (ethtool channels), up to 32 while large_receive=no; the switch spreads streams over as many. With large_receive=yes one: Linux 6.17 and later stop a full queue of a polled end and wake the first only. Needs Linux 5.13"},
		"queues_tx":      {Kernel, "transmit queues of the port (ethtool channels), up to 32, and as many receive queues at the switch. Streams are spread over them by hash; the line's token bucket is one for all"},
		"rx_max_pkts":    {Recorded, "a receive queue of a veth end holds 256 packets, which cannot be changed"},
		"tx_send_cnt":    {Recorded, "how many packets the kernel hands over at a time (net.core.dev_weight) is the machine's, not a port's"},
		"flow_ctrl":      {Recorded, "a veth pair has no pause frames; the line is a token bucket with a queue of 4 MB"},
		"media_speed":    {Recorded, "the line rate is the topology's; what is tagged on a port has, VLAN by VLAN, a line of that rate to itself"},
		"alt_addr":       {Recorded, "the hardware address is the topology's"},
		"use_alt_addr":   {Recorded, "the hardware address is the topology's"},
	},
	"sea": {
		"largesend":       {Kernel, "TSO of the hypervisor switch's end towards the trunk, and of the port below: with 0 large frames are segmented before the SEA"},
		"large_receive":   {Kernel, "GRO at the port, if it has large_receive=yes, and TSO of the trunk, so that clients get the aggregate whole"},
		"jumbo_frames":    {Kernel, "MTU of the trunk and of the bridge: 65394, or 1500"},
		"accounting":      {Kernel, "counters per client in the VIOS's packet filter (nf_tables), by source at the trunks and by destination at the real adapter; seastat shows them"},
		"thread":          {Recorded, "the kernel bridges in the context that received the frame"},
		"nthreads":        {Recorded, "the kernel bridges in the context that received the frame"},
		"noauto_failback": {Kernel, "yes: an SEA that is back leaves the clients to the one that took over, until that fails or is made standby"},
		"queue_size":      {Recorded, "the kernel bridges without a queue of its own"},
		"hash_algo":       {Recorded, "the kernel bridges without threads to choose from"},
		"ha_mode":         {Kernel, "which SEA of a pair bridges: the hypervisor switch's end of every other trunk is unplugged, and what took over announces its clients' addresses. auto: the lowest trunk priority; sharing: every second VLAN, with two trunks each; standby: after the other. The SEAs know at once what the other does: no keep-alive packets pass, so failover is quicker than on real systems"},
		"real_adapter":    {Refused, "cables are the topology's"},
		"virt_adapters":   {Refused, "cables are the topology's"},
		"pvid":            {Refused, "VLANs are the topology's"},
		"pvid_adapter":    {Refused, "VLANs are the topology's"},
		"ctl_chan":        {Refused, "cables are the topology's"},
	},
	"etherchannel": {
		"mode":            {Kernel, "standard: every port that has a link carries frames. 8023ad: only ports that the switch aggregates with the first one. round_robin: each frame takes a port by chance, not in turn"},
		"hash_mode":       {Kernel, "which port a frame takes, by AIX's formula, in a classifier (cls_bpf, mirred) behind the EtherChannel: default by the destination address's last byte, the others by TCP and UDP ports. The switch spreads by src_dst_port"},
		"use_jumbo_frame": {Kernel, "MTU of the EtherChannel and its ports: what the ports pass, or 1500"},
		"adapter_names":   {Refused, "cables are the topology's"},
		"backup_adapter":  {Refused, "cables are the topology's: the backup carries frames once no other port has a link"},
		"auto_recovery":   {Recorded, "the main ports always take back when one has a link"},
		"noloss_failover": {Recorded, "failover is at once"},
		"interval":        {Recorded, "no LACP packets pass: both ends know the topology"},
	},
	"vlan": {
		"base_adapter":  {Refused, "cables are the topology's"},
		"vlan_tag_id":   {Refused, "a VLAN has cables of its own: rmdev -dl the device, and mkdev another"},
		"vlan_priority": {Recorded, "no tag is on the wire: every VLAN is a set of devices and bridges of its own"},
	},
	"no": {
		"tcp_sendspace": {Kernel, "net.ipv4.tcp_wmem of the namespace, twice the value, where no interface decides (use_isno=0)"},
		"tcp_recvspace": {Kernel, "net.ipv4.tcp_rmem of the namespace, twice the value, where no interface decides (use_isno=0)"},
		"rfc1323":       {Kernel, "net.ipv4.tcp_window_scaling and tcp_timestamps, where no interface decides (use_isno=0)"},
		"use_isno":      {Kernel, "1: the first configured interface's tcp_sendspace, tcp_recvspace and rfc1323 are the namespace's; 0: those of no"},
		"sb_max":        {Kernel, "caps tcp_sendspace and tcp_recvspace. It does not cap setsockopt: net.core.rmem_max is the machine's"},
		"sack":          {Kernel, "net.ipv4.tcp_sack of the namespace"},
		"tcp_ecn":       {Kernel, "net.ipv4.tcp_ecn of the namespace"},
	},
}

// reasons for layers as a whole.
var layers = map[string]string{
	"interface":        "no twin in the kernel",
	"virtual-adapter":  "no twin at a veth pair",
	"physical-adapter": "no twin at a veth pair",
	"sea":              "no twin at a bridge",
	"no":               "no twin per network namespace",
	"vnic":             "this lab has no vNIC",
	"etherchannel":     "no twin at a veth pair",
	"hypervisor":       "the topology decides",
	"linux":            "an attribute of Linux hosts: no node of a lab is one",
	"vios":             "no twin in a lab",
}

const (
	minBuffers = "buffers of the pool that the driver keeps registered, where buf_mode=min: taken for each frame at the hypervisor switch's end, given back at the adapter's, by a program at each (eBPF). A frame that finds none is lost, and entstat counts it. In a lab started by root"
	maxBuffers = "the limit to which the driver extends the pool as it handles frames; where buf_mode is max or max_min all are there from the start. A frame goes to the smallest pool it fits and to no other. In a lab started by root"
	bufferMode = "whether pools start with min_buf_* and are extended, or with max_buf_* at once. In a lab started by root"
)

// withoutBuffers is the entry of an attribute of receive buffers in a lab that
// has none.
func (m Machine) withoutBuffers(a catalog.Attribute) (known, bool) {
	pooled := strings.HasPrefix(a.Name, "min_buf_") || strings.HasPrefix(a.Name, "max_buf_") || a.Name == "buf_mode"
	pooled = pooled && !strings.HasSuffix(a.Name, "_control")
	if m.NoBuffers == "" || a.Layer != "virtual-adapter" || !pooled {
		return known{}, false
	}
	return known{Recorded, "no receive buffers here: " + m.NoBuffers}, true
}

// Counters says which measured numbers the nodes' commands print, and from
// where; what is not named is not printed.
func Counters(m Machine) []Entry {
	pools := Entry{"entstat -d", "receive buffer pools, No Resource Errors, Hypervisor Send and Receive Failures", Kernel, "counts of the programs that take and give back buffers, since the adapter was opened. In a lab started by root"}
	if m.NoBuffers != "" {
		pools.Outcome, pools.What = Recorded, "the sizes that are set; no counts: "+m.NoBuffers
	}
	return []Entry{
		{"netstat -s, -p", "the lines that /proc/net/snmp and /proc/net/netstat of the namespace have numbers for", Kernel, "AIX's wording; where AIX adds a byte count that the kernel does not keep, the line stands without it"},
		{"netstat -p tcp", "large sends, bytes sent using largesend, the biggest largesend", Kernel, "frames above the interface's MTU, counted by size where they arrive whole: at the far end of the cable, by a packet filter (nf_tables). Bytes are less 40 for headers, or 52 with rfc1323. Not printed where the kernel has no nf_tables, and not for an interface on an SEA"},
		{"entstat", "Packets, Bytes, Packets Dropped, Transmit and Receive Errors, Multicast Packets", Kernel, "counters of the netdev. A large frame counts as one packet there"},
		pools,
		{"entstat", "CRC Errors", Kernel, "of physical ports: frames that the fault duplex damaged, and what the netdev counts"},
		{"seastat", "packets and bytes per client", Kernel, "while accounting=enabled: transmit is what the client sent. A large frame counts as one packet. Where the kernel has no nf_tables seastat says so"},
		{"entstat -d", "High Availability Statistics", Kernel, "state, bridge mode and how often it changed, for an SEA with ha_mode; control packets are not printed, as none pass"},
		{"topas -E", "KBPS, packets and KB per second", Kernel, "counters of the netdevs over the interval"},
		{"netperf", "socket sizes", Recorded, "what AIX's getsockopt says before a socket is connected: the values of no, or those asked for; the connection has the interface's. Throughput and transactions are measured"},
		{"vmstat, sar -u", "us, sy, pc, ec; %usr, %sys, physc, %entc", Kernel, "processor time as in lparstat. Memory, pages, interrupts, run queues and idle time are the machine's, not a node's: a dash stands for them"},
		{"entstat -r", "all counters", Kernel, "what came since the reset is printed: the kernel's own counters go on, as those of netstat -i do"},
		{"netstat -D", "packets and drops", Kernel, "of netdevs, protocols and interfaces; N/A where the kernel counts none. Devices and drivers are one"},
		{"viostat", "drives, physc", Recorded, "a lab has no disks, so the table of drives is empty; physc is as in lparstat"},
		{"schedo", "vpm_xvcpus, vpm_fold_policy and others", Recorded, "kept and printed: a lab has no virtual processors to fold"},
		{"lparstat -i", "Online Virtual CPUs", Kernel, "the node's processes run on that many of the machine's processors, if it has more"},
		{"lparstat -i", "Entitled Capacity, Mode, Variable Capacity Weight", Kernel, "Capped: the node's processes get no more than the entitlement, by a control group (cpu.max, or cpu.cfs_quota_us), where the machine lets this user make one. Softirq work at the node's devices is no process's and is not held back. Uncapped: as much as there is; what several want is divided by their weights if these differ (cpu.weight, or cpu.shares), entitlements or not, and by processes if not. Weight 0: as capped"},
		{"lparstat INTERVAL", "%user, %sys, physc, %entc", Kernel, "as root, all CPU time of the node, sampled by the kernel: its processes, and the softirq work at its devices. Without privilege the time of its processes, as /proc accounts it; a VIOS's forwarding belongs to no process, and lab cpu shows it as not attributed. %wait and %idle are not measured"},
	}
}

// Table is an entry for every attribute of the catalogue that can be set on a
// node, sorted by layer and name.
func Table(all []catalog.Attribute, m Machine) []Entry {
	var out []Entry
	for _, a := range all {
		e := Entry{Layer: a.Layer, Attribute: a.Name, Outcome: Recorded, What: layers[a.Layer]}
		if e.What == "" {
			e.What = "no twin in a lab"
		}
		if k, ok := effects[a.Layer][a.Name]; ok {
			e.Outcome, e.What = k.outcome, k.what
		}
		if k, ok := m.withoutBuffers(a); ok {
			e.Outcome, e.What = k.outcome, k.what
		}
		out = append(out, e)
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].Layer != out[j].Layer {
			return out[i].Layer < out[j].Layer
		}
		return out[i].Attribute < out[j].Attribute
	})
	return out
}

// Refuses says why an attribute cannot be changed in this lab, or nothing.
func Refuses(layer, attribute string) string {
	if k := effects[layer][attribute]; k.outcome == Refused {
		return k.what
	}
	return ""
}

// Known is how many attributes this package says have a kernel effect.
func Known() int {
	n := 0
	for _, l := range effects {
		for _, k := range l {
			if k.outcome == Kernel {
				n++
			}
		}
	}
	return n
}
