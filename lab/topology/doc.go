// Package topology describes a lab: managed systems with their LPARs and
// VIOSes, adapters, SEAs, and the Ethernet switch that joins them. A topology
// is YAML; Load checks it and names file, line and what was expected.
//
// A Topology is never changed: WithVLAN and WithoutVLAN give another one, so
// that anyone who reads the earlier one goes on undisturbed.
package topology
