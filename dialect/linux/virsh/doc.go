// Package virsh reads virtual machines and libvirt's networks as virsh dumpxml and
// net-dumpxml print them, one or several: what of the machines' interfaces and the
// networks' bridges matters to those of the KVM host.
package virsh
