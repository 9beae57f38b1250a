package assemble_test

import (
	"testing"

	"seaworthy/internal/inventory/model"
)

// The log of a kernel is counted by kinds of message; one without any has none, and a host
// without a log has no count.
func TestKernelLog(t *testing.T) {
	const uname = "Linux web 6.1.0-18-amd64 #1 SMP x86_64 GNU/Linux\n"
	for _, c := range []struct {
		name, log string
		fact      string
		want      float64
	}{
		{"table of connections", "[ 1.5] nf_conntrack: nf_conntrack: table full, dropping packet\n[ 2.5] other\n[ 3.5] nf_conntrack: table full, dropping packet\n",
			"conntrack_full_messages", 2},
		{"a hung port", "Jan  2 03:04:05 web kernel: ixgbe 0000:01:00.0 eth7: Detected Tx Unit Hang\n", "transmit_hang_messages", 1},
		{"a queue that timed out", "[ 77.1] NETDEV WATCHDOG: eth0 (tg3): transmit queue 2 timed out\n", "transmit_hang_messages", 1},
		{"a port that is reset without a watchdog", "[ 77.1] tg3 0000:03:00.0 eno2: transmit timed out, resetting\n", "transmit_hang_messages", 1},
		{"firmware", "[ 8.1] mlx5_core 0000:81:00.1: poll_health: device's health compromised - reached miss count\n", "adapter_firmware_messages", 1},
		{"firmware that is loaded", "[ 8.1] mlx5_core 0000:81:00.1: firmware version: 16.35.2000\n", "adapter_firmware_messages", 0},
		{"firmware that a file is missing of", "[ 8.1] ice 0000:5e:00.0: Direct firmware load for intel/ice/ddp/ice.pkg failed with error -2\n",
			"adapter_firmware_messages", 0},
		{"firmware that stands still", "[ 8.1] bnxt_en 0000:3b:00.0 eno1: firmware is not responding\n", "adapter_firmware_messages", 1},
		{"firmware with an error", "[ 8.1] ixgbe 0000:05:00.1: Warning firmware error detected FWSM: 0x8009800C\n", "adapter_firmware_messages", 1},
		{"firmware of a disk adapter", "[ 8.1] qla2xxx 0000:41:00.0: Firmware error\n", "adapter_firmware_messages", 0},
		{"the bus of a port", "[ 9.1] igb 0000:07:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer\n", "adapter_bus_messages", 1},
		{"the bus of a disk", "[ 9.1] nvme 0000:02:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer\n", "adapter_bus_messages", 0},
		{"a transceiver", "[ 5.1] i40e 0000:05:00.0: Rx/Tx is disabled on this device because an unsupported SFP module type was detected.\n",
			"transceiver_messages", 1},
		{"a frame that came back", "[ 5.1] br7: received packet on bond3 with own address as source address (addr:02:00:00:00:00:09, vlan:0)\n",
			"own_frame_messages", 1},
		{"a checksum", "[ 5.1] bond3: hw csum failure\n", "checksum_messages", 1},
		{"NFS", "[ 5.1] nfs: server stor2 not responding, timed out\n", "nfs_silent_messages", 1},
		{"NFS again", "[ 6.1] nfs: server stor2 OK\n", "nfs_silent_messages", 0},
		{"a processor", "[ 6.1] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:\n", "stuck_processor_messages", 1},
		{"heat", "[ 6.1] mce: CPU4: Core temperature above threshold, cpu clock throttled (total events = 2)\n", "throttled_messages", 1},
		{"memory", "[ 6.1] Out of memory: Killed process 4711 (java) total-vm:1kB\n", "out_of_memory_messages", 1},
		{"a disk", "[ 6.1] blk_update_request: I/O error, dev sdq, sector 8 op 0x0:(READ)\n", "disk_error_messages", 1},
		{"nothing of the kind", "[ 1.5] eth0: link up\n", "transmit_hang_messages", 0},
	} {
		h := host(model.Linux, text("uname-a", "", uname), text("dmesg", "", "[    0.000000] Linux version 6.1.0 (gcc)\n"+c.log))
		got, ok := h.Figures[c.fact]
		if !ok || got.Value != c.want {
			t.Errorf("%s: got %v %v, want %v", c.name, got, ok, c.want)
		}
	}
	h := host(model.Linux, text("uname-a", "", uname), text("dmesg", "", "[ 77.1] tg3 0000:03:00.0 eno2: transmit timed out, resetting\n"))
	if _, none := h.Figures["checksum_messages"]; none || h.Figures["transmit_hang_messages"].Value != 1 {
		t.Errorf("a line out of a log: got %v, want the message that it has, and nothing of others", h.Figures)
	}
	if h := host(model.Linux, text("uname-a", "", uname)); len(h.Figures) > 0 {
		t.Errorf("no log: got %v, want nothing", h.Figures)
	}
}

// The level of what sets up hybrid networks; that it is not installed says nothing of a level.
func TestLevelOfPowerpcUtils(t *testing.T) {
	for printed, want := range map[string]string{
		"powerpc-utils-1.3.11-3.el9.ppc64le\n": "1.3.11", "powerpc-utils\t1.3.13-1\n": "1.3.13", "package powerpc-utils is not installed\n": "",
	} {
		h := host(model.Linux, text("uname-a", "", "Linux p9 6.1.0 #1 SMP ppc64le GNU/Linux\n"), text("powerpc-utils", "", printed))
		if h.Tools != want || len(h.Gaps) > 0 {
			t.Errorf("%q: got %q, gaps %v, want %q", printed, h.Tools, h.Gaps, want)
		}
	}
}
