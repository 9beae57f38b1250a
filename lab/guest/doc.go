// Package guest boots real Linux kernels as hosts beside the lab: a POWER
// partition on QEMU's pseries machine, whose own ibmveth driver drives a virtual
// Ethernet port, and x86 guests, one for each way in which Debian configures its
// network. Nothing in them is ours: they are Debian packages, and so the
// independent witness for what the lab's own nodes print and for changes that
// must outlive a reboot.
//
// Build makes the disk image, kernel and initramfs of a kind, once; Start boots
// it. What a guest writes to its disk lives as long as its QEMU: a reboot keeps
// it, the next Start begins from the image again. A guest has two ports: mgmt,
// over which SSH reaches it from this machine alone, and one that may join a
// hypervisor switch of a running lab.
package guest
