// Package wire makes the kernel side of a lab: one network namespace per
// node, hypervisor switch and Ethernet switch, veth pairs as virtual adapters
// and cables, bridges as switches and SEAs. State says what every end should
// be; Apply makes it so.
//
// Namespaces are named after the node (lpar1), the system's hypervisor switch
// (hyp:SYSTEM) and the Ethernet switch (sw:NAME). In a node's namespace
// adapter entN and interface enN are one network device, enN; the bridge of
// an SEA is the enN of the SEA.
//
// BuildLayout derives the devices from a topology. A VLAN that is tagged somewhere is a
// set of devices and bridges of its own, since few kernels let users make
// 802.1Q devices; what the VLAN instances of one port share is its line rate. Build
// makes the devices, and Follow those of a topology that changed while the lab
// runs. Errors name what a kernel lacks.
package wire
