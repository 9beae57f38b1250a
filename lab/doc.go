// Package lab builds a whole PowerVM network from Linux network namespaces:
// LPARs, VIOSes with Shared Ethernet Adapters, hypervisor switches and an
// Ethernet switch. Its nodes answer the commands of AIX and VIOS, and an
// attribute changed there changes the kernel's real network path.
//
// Below it: topology (what is wanted), wire (namespaces, cables, adapters in
// the kernel), odm (attributes of a node), effect (what an attribute does to
// the kernel here), node (the commands), traffic (iperf, netperf, ping).
// The lab never fakes a measured number.
package lab
