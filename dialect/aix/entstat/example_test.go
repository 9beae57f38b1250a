package entstat_test

import (
	"fmt"
	"strings"

	"seaworthy/dialect/aix/entstat"
)

// A virtual adapter of which only the traffic is known: what was not measured
// is not printed.
func ExampleNew() {
	pvid := uint64(1)
	s := entstat.New(entstat.Head{
		Name: "ent0", DeviceType: "Virtual I/O Ethernet Adapter (l-lan)", HardwareAddress: "02:00:00:00:00:01",
		Counters: map[string]uint64{"tx.Packets": 1200, "rx.Packets": 900},
	})
	s.AddVirtual(entstat.Virtual{LANState: "Operational", PVID: &pvid, VLANs: []int{10}, SwitchID: "ETHERNET0"})
	for line := range strings.Lines(string(entstat.Format(s))) {
		fmt.Println(strings.TrimRight(line, " \n"))
	}
	// Output:
	// -------------------------------------------------------------
	// ETHERNET STATISTICS (ent0) :
	// Device Type: Virtual I/O Ethernet Adapter (l-lan)
	// Hardware Address: 02:00:00:00:00:01
	//
	// Transmit Statistics:                          Receive Statistics:
	// --------------------                          -------------------
	// Packets: 1200                                 Packets: 900
	//
	// Virtual I/O Ethernet Adapter (l-lan) Specific Statistics:
	// ---------------------------------------------------------
	// LAN State: Operational
	//
	// Port VLAN ID:     1
	// VLAN Tag IDs:    10
	//
	// Switch ID: ETHERNET0
}
