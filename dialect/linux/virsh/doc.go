// Package virsh reads virtual machines as virsh dumpxml prints them, one or
// several: what of their network interfaces matters to those of the KVM host.
package virsh
