// Package fleet writes made-up hosts to disk, in the layout of a snapshot, so
// that reading and judging can be measured on fleets larger than any lab.
//
// Hosts come in managed systems of two VIOSes and ten LPARs. The VIOSes bridge
// a production and a backup VLAN through an SEA over an EtherChannel of two
// ports, as a pair with failover; every LPAR has an adapter on each. The
// backup network is one subnet over the whole fleet, a production subnet spans
// twenty systems. A share of the hosts is mis-set, in ways that a system or a
// host draws from the seed: the same seed writes the same fleet.
package fleet
