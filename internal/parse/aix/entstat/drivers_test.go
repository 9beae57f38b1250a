package entstat_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse/aix/entstat"
)

// driver is a text in the manner of a driver family below the head that all
// families share.
func driver(name, body string) string {
	return "ETHERNET STATISTICS (ent3) :\nDevice Type: " + name + "\nHardware Address: 02:00:00:00:00:03\n\n" +
		"Transmit Statistics:                          Receive Statistics:\n--------------------                          -------------------\n" +
		"Packets: 5000000000                           Packets: 6000000000\n" +
		"                                              Bad Packets: 4\n\n" +
		"General Statistics:\n-------------------\nNo mbuf Errors: 0\nAdapter Data Rate: 20000\nDriver Flags: Up Broadcast Running \n\tSimplex LargeSend \n\n" + body
}

func specific(name, body string) string {
	title := name + " Specific Statistics:"
	return driver(name, title+"\n"+strings.Repeat("-", len(title))+"\n"+body)
}

func plain(name, body string) string {
	return driver(name, name+"\n"+strings.Repeat("-", 61)+"\n\nDevice Statistics:\n------------------\n"+body)
}

// TestDrivers asks the same questions of every family.
func TestDrivers(t *testing.T) {
	up := yes(true)
	down := yes(false)
	on := yes(true)
	off := yes(false)
	for name, c := range map[string]struct {
		text                   string
		up                     *bool
		speed                  *int64
		tso, lro, jumbo, flow  *bool
		counters               map[string]uint64
		txChecksum, rxChecksum *bool
	}{
		"goent": {text: specific("2-Port 10/100/1000 Base-TX PCI-X Adapter (14108902)",
			"Link Status: Up\nMedia Speed Selected: Auto negotiation\nMedia Speed Running: 1000 Mbps Full Duplex\nPCI Mode: PCI-X (100-133)\n"+
				"Jumbo Frames: Disabled\nTCP Segmentation Offload: Enabled\nTCP Segmentation Offload Packets Transmitted: 71\n"+
				"Transmit and Receive Flow Control Status: Enabled\nXON Flow Control Packets Transmitted: 72\nTransmit and Receive Flow Control Threshold (High): 45056\n"),
			up: up, speed: mbit(1000), tso: on, jumbo: off, flow: on, counters: map[string]uint64{"XON Flow Control Packets Transmitted": 72, "rx.Bad Packets": 4, "tx.Packets": 5000000000}},
		"elxent": {text: specific("PCIe2 10GbE SFP+ Adapter",
			"Link Status: Down\n\tReason: no light\nMedia Speed Selected: Autonegotiation\nMedia Speed Running: Unknown\nJumbo frames: Enabled\n"+
				"Transmit TCP segmentation offload: Disabled\n\tMaximum size: 5\nReceive TCP segment aggregation: Enabled\n"+
				"Transmit TCP checksum offload: Enabled\nReceive TCP checksum offload: Disabled\nAssigned Interrupt Source Numbers: 2\n\t96\tTX\n\t97\tRX\nAfter: 3\n"),
			up: down, tso: off, lro: on, jumbo: on, txChecksum: on, rxChecksum: off, counters: map[string]uint64{"After": 3, "Assigned Interrupt Source Numbers": 2}},
		"musent": {text: strings.Replace(specific("4-Port Gigabit PCIe Adapter", "Link Status : Up\nMedia Speed Running: 1 Gbps Full Duplex\nTransmit and Receive Flow Control Status: Disabled\n"+
			"Receive statistics for RXQ number: 0\n\tPackets: 80\nReceive statistics for RXQ number: 1\n\tPackets: 81\nQueue: 3         \n  Bytes: 90\nQueue: 4\n  Bytes: 91\n"),
			"\tSimplex LargeSend \n", "\tSimplex LargeSend \nAdditional Driver Flags: Autonegotiate \n", 1),
			up: up, speed: mbit(1000), flow: off, counters: map[string]uint64{
				"Receive statistics for RXQ number 0.Packets": 80, "Receive statistics for RXQ number 1.Packets": 81, "Queue 3.Bytes": 90, "Queue 4.Bytes": 91}},
		"nment": {text: strings.Replace(specific("Qlogic combo Gigabit Adapter", "Link Status: Up\nMedia Speed Running: 10 Gbps Full Duplex\n"),
			"Device Type: Qlogic combo Gigabit Adapter", "Device Type: \nQlogic combo Gigabit Adapter", 1), up: up, speed: mbit(10000)},
		"shient": {text: plain("PCIe2 2-Port Adapter (e414)", "Physical Port Link Status: Up\nLogical Port Link Status: Down\nPhysical Port Speed: 10Gbps Full Duplex\n"+
			"PCI Mode: PCI-Express X8\n\tPCIe Link Speed: 5.0 GT/s\nTransmit and receive flow control status: Enabled\n\nAdditional Statistics:\n----------------------\nrx_bytes:\t12\n\t[q-0]: rx_bytes:\t13\n\t[q-1]: rx_bytes:\t14\n"),
			up: down, speed: mbit(10000), flow: on, counters: map[string]uint64{"rx_bytes": 12, "[q-0]: rx_bytes": 13, "[q-1]: rx_bytes": 14}},
		"down": {text: plain("PCIe2 2-Port Adapter (e414)", "Physical Port Link Status: Down\nLogical Port Link Status: Down\nPhysical Port Speed: Auto-negotation\n"), up: down},
		"lnc2ent": {text: plain("PCIe3 4-Port 10GbE SR Adapter (df10)", "Physical Port Link Status: Up\nLogical Port Link Status: Up\nPhysical Port Speed: 40 Gbps Full Duplex\n"+
			"Priority Flow Control: Enabled\nTransmit and Receive Flow Control Status: Disabled\nJumbo Frames Changeable: Yes\nJUMBO FRAMES: Disabled\n"),
			up: up, speed: mbit(40000), flow: off, jumbo: off},
		"unknown driver": {text: specific("PCIe5 2-Port 400GbE Adapter", "Some Counter That Nobody Knows: 42\nNested Things:\n    inner: 1\nOther Things:\n    inner: 2\nTable Of Sorts\n    A row      7\n"),
			counters: map[string]uint64{"Some Counter That Nobody Knows": 42, "Nested Things.inner": 1, "Other Things.inner": 2, "A row": 7}},
		"no detail": {text: strings.TrimSuffix(driver("Virtual I/O Ethernet Adapter (l-lan)", ""), "\n"), counters: map[string]uint64{"Adapter Data Rate": 20000}},
		"LAN state": {text: specific("Virtual I/O Ethernet Adapter (l-lan)", "LAN state(14): LAN_OPERATIONAL\nPlatform Large Send Offload: Enabled\nPort VLAN ID: 1\n"), up: up},
		"LAN down":  {text: specific("Virtual I/O Ethernet Adapter (l-lan)", "LAN State: Not Operational\n"), up: down},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, c.text)
			if len(s.Unknown) > 0 {
				t.Errorf("not understood: %v", s.Unknown)
			}
			gotUp, gotSpeed := s.Link()
			for what, pair := range map[string][2]any{
				"up": {c.up, gotUp}, "speed": {c.speed, gotSpeed}, "largesend": {c.tso, s.Offload(entstat.LargeSend)}, "large receive": {c.lro, s.Offload(entstat.LargeReceive)},
				"jumbo": {c.jumbo, s.Offload(entstat.JumboFrames)}, "flow control": {c.flow, s.Offload(entstat.FlowControl)},
				"tx checksum": {c.txChecksum, s.Offload(entstat.TransmitChecksum)}, "rx checksum": {c.rxChecksum, s.Offload(entstat.ReceiveChecksum)},
			} {
				if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
					t.Errorf("%s (-want +got):\n%s", what, diff)
				}
			}
			all := s.Counters()
			for key, want := range c.counters {
				if got, ok := all[key]; !ok || got != want {
					t.Errorf("%s: got %d %v, want %d; all: %v", key, got, ok, want, all)
				}
			}
			if !slices.Contains(s.Flags(), "LargeSend") || !s.FlagsWhole() {
				t.Errorf("flags: got %v, whole %v, want LargeSend among them", s.Flags(), s.FlagsWhole())
			}
		})
	}
}

// TestTables reads the l-lan driver's tables as they come in saved texts.
func TestTables(t *testing.T) {
	tiny := entstat.Pool{Name: "Tiny", Min: num(512), Max: num(2048)}
	for name, c := range map[string]struct {
		text string
		want []entstat.Pool
	}{
		"none":           {"RQ Length: 5\n", nil},
		"remark":         {"Receive Information\n  Receive Buffers\n    Buffer Type     Tiny\n    Min Buffers     512 <--too few\n    Max Buffers    2048\n", []entstat.Pool{tiny}},
		"row cut":        {"Receive Information\n  Receive Buffers\n    Buffer Type   Tiny  Small\n    Min Buffers   512\n    Max Buffers   2048 2049\n", []entstat.Pool{{Name: "Tiny", Max: num(2048)}, {Name: "Small", Max: num(2049)}}},
		"text ends":      {"Receive Information\n  Receive Buffers\n    Buffer Type   Tiny\n    Min Buffers   512\n    Max Buffers   20", []entstat.Pool{{Name: "Tiny", Min: num(512)}}},
		"blank between":  {"Receive Information\n  Receive Buffers\n    Buffer Type   Tiny\n    Min Buffers   512\n\n    History\n      Max Allocated   9\n", []entstat.Pool{{Name: "Tiny", Min: num(512), MaxAllocated: num(9)}}},
		"no number here": {"Receive Information\n  Receive Buffers\n    Buffer Type   Tiny\n    Min Buffers   -\n    Max Buffers   2048\n", []entstat.Pool{{Name: "Tiny", Max: num(2048)}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, specific("Virtual I/O Ethernet Adapter (l-lan)", c.text))
			if diff := cmp.Diff(c.want, s.Buffers()); diff != "" {
				t.Errorf("pools (-want +got):\n%s", diff)
			}
			if len(s.Unknown) > 0 {
				t.Errorf("not understood: %v", s.Unknown)
			}
		})
	}
}

// A row of the table of buffers that lost values is not a counter, and is reported.
func TestRowCut(t *testing.T) {
	s := read(t, (specific("Virtual I/O Ethernet Adapter (l-lan)",
		"Receive Information\n  Receive Buffers\n    Buffer Type   Tiny  Small\n    Min Buffers   512    512\n    Max Buffers   20\n")))
	if n, ok := s.Counters()["Max Buffers"]; ok {
		t.Errorf("Max Buffers: got a counter %d, want none", n)
	}
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0].Text, "Max Buffers") {
		t.Errorf("warnings: got %v, want one of Max Buffers", s.Warnings)
	}
}
