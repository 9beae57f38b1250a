// Package seastat reads and prints VIOS seastat -d: what each client of an SEA
// sent and received, by MAC address and VLAN.
//
// There is one block per MAC, VLAN and IP address, so that the same MAC can
// have several; some blocks name neither host nor address. The command needs
// the SEA's attribute accounting=enabled.
package seastat
