package collect

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// What is counted of a kernel's log is in what is fetched of it.
func TestMessagesThatAreCountedAreFetched(t *testing.T) {
	at := slices.IndexFunc(items(registry.OnLinux, registry.OfHost, ""), func(it Item) bool { return it.ID == "dmesg" })
	if at < 0 {
		t.Fatal("the kernel's log is not asked for")
	}
	line := items(registry.OnLinux, registry.OfHost, "")[at].Line
	_, rest, _ := strings.Cut(line, "1p; /")
	words, _, found := strings.Cut(rest, "/p'")
	if !found {
		t.Fatalf("no words in %q", line)
	}
	fetched := regexp.MustCompile(words)
	samples := map[string][]string{
		"conntrack_full_messages": {"nf_conntrack: table full, dropping packet"},
		"neighbour_full_messages": {"neighbour: arp_cache: neighbor table overflow!", "Neighbour table overflow."},
		"tcp_memory_messages":     {"TCP: out of memory -- consider tuning tcp_mem", "TCP: too many orphaned sockets"},
		"transmit_hang_messages": {"e1000e 0000:00:19.0 eth0: Detected Hardware Unit Hang:", "NETDEV WATCHDOG: eth0 (tg3): transmit queue 2 timed out",
			"bnx2x: eth1: Tx timeout detected", "e1000e: eth0: Reset adapter unexpectedly", "qede eth2: tx_timeout"},
		"too_big_messages":    {"netdev_dpdk: Too big size 1574 max_packet_len 1518", "br0: dropped over-mtu packet: 1528 > 1500", "eth0: dropped packet: too big"},
		"link_lost_messages":  {"igb 0000:01:00.0: PCIe link lost", "mlx5_core: Power budget exceeded"},
		"vnic_login_messages": {"ibmvnic 30000003 env3: Adapter login failed"},
		"vnic_error_messages": {"ibmvnic 30000002: tx error 600", "kernel BUG at lib/dynamic_queue_limits.c:27!"},
		"vnic_reset_messages": {"ibmvnic 30000003 env3: Reset reason: FAILOVER"},
		"link_down_messages":  {"tg3 0000:01:00.0 eth0: Link is down", "ixgbe 0000:01:00.0 eth1: NIC Link is Down", "bond0: link down", "hv: carrier link lost"},
		"pcie_bandwidth_messages": {"mlx5_core: 31.504 Gb/s available PCIe bandwidth, limited by 5.0 GT/s x8 link",
			"This is not sufficient for optimal performance of this card.", "PCIe bandwidth is insufficient"},
		"swiotlb_full_messages":    {"tg3 0000:01:00.0: swiotlb buffer is full (sz: 4096 bytes)", "DMA: Out of SW-IOMMU space for 65536 bytes"},
		"page_allocation_messages": {"swapper/0: page allocation failure: order:0, mode:0x20", "i40e: alloc page failed", "Failed to allocate skb"},
		"syn_flood_messages":       {"TCP: request_sock_TCP: Possible SYN flooding on port 443. Sending cookies."},
		"dma_limited_messages":     {"mlx5_core: iommu: 64-bit OK but direct DMA is limited by 800000000000000", "lpar: memory not pre-mapped"},
		"adapter_firmware_messages": {"mlx5_core 0000:01:00.0: poll_health: device's health compromised - reached miss count",
			"bnxt_en 0000:3b:00.0 eth3: firmware fatal error", "i40e 0000:06:00.0: FW hang detected: firmware not responding"},
		"adapter_bus_messages": {"ixgbe 0000:01:00.0: PCIe Bus Error: severity=Corrected", "ice 0000:18:00.0: AER: uncorrectable error"},
		"transceiver_messages": {"ixgbe 0000:01:00.0: failed to initialize because an unsupported SFP+ module type was detected.",
			"mlx5_core 0000:01:00.0: Port module event[error]: module 0, Cable error, High temperature"},
		"suspect_gro_messages":     {"TCP: eth0: Driver has suspect GRO implementation, TCP performance may be compromised."},
		"checksum_messages":        {"eth2: hw csum failure", "UDP: bad checksum. From 192.0.2.1:53 to 192.0.2.2:4000 ulen 90", "UDP: short packet: From 192.0.2.1"},
		"own_frame_messages":       {"br0: received packet on eth1 with own address as source address", "bond0: loop detected"},
		"martian_messages":         {"IPv4: martian source 192.0.2.9 from 198.51.100.7, on dev eth1"},
		"nfs_silent_messages":      {"nfs: server nfs1 not responding, still trying"},
		"stuck_processor_messages": {"watchdog: BUG: soft lockup - CPU#3 stuck for 23s!", "rcu: INFO: rcu_sched self-detected stall on CPU"},
		"throttled_messages":       {"CPU3: Core temperature above threshold, cpu clock throttled (total events = 1)"},
		"out_of_memory_messages":   {"Out of memory: Killed process 4242 (java)", "java invoked oom-killer: gfp_mask=0x201da"},
		"disk_error_messages": {"blk_update_request: I/O error, dev sdb, sector 2048", "INFO: task jbd2/sda1-8:312 blocked for more than 120 seconds.",
			"nvme nvme0: I/O 12 QID 3 timeout, aborting", "ata1.00: failed command: READ FPDMA QUEUED", "device-mapper: multipath: 253:2: Failing path 8:32."},
		"eeh_messages": {"EEH: Frozen PHB#1-PE#10000 detected", "EEH: Recovery successful."},
	}
	var all []string
	for _, list := range samples {
		for _, text := range list {
			all = append(all, text, strings.ToUpper(text), strings.ToLower(text))
		}
	}
	for _, m := range knowledge.BuiltIn().Messages() {
		pattern, quick := regexp.MustCompile(m.Pattern), parse.Lazy(m.Pattern)
		if quick.Possible([]byte("Nov  5 10:00:00 web kernel: nothing to see here")) {
			t.Errorf("%s: no fixed words are known, so that each line of a long log is tried", m.Fact)
		}
		if len(samples[m.Fact]) == 0 {
			t.Errorf("%s has no sample here", m.Fact)
		}
		for _, text := range samples[m.Fact] {
			if !pattern.MatchString(text) || !fetched.MatchString(text) {
				t.Errorf("%s: %q is counted %v, fetched %v, want both", m.Fact, text, pattern.MatchString(text), fetched.MatchString(text))
			}
		}
		for _, text := range all {
			if got, want := quick.Match([]byte(text)), pattern.MatchString(text); got != want {
				t.Errorf("%s: %q is counted %v when its fixed words are looked for first, want %v", m.Fact, text, got, want)
			}
		}
		for _, text := range []string{"EEH: Capable adapter found: recovery requested.", "EEH: No capable adapters found: recovery disabled."} {
			if pattern.MatchString(text) {
				t.Errorf("%s: counts %q, which a sound kernel says", m.Fact, text)
			}
		}
	}
}
