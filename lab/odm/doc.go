// Package odm is a node's device database: which devices a partition has, and
// for every attribute its running value, its value at the next boot, its
// default and what it may be. The catalogue says which attributes a kind of
// device has; the topology says which devices there are.
//
// A change goes through the method of its device, as chdev does. The method
// checks names and values, refuses what a device in use cannot change, and
// then writes running and next-boot value, or only one of them (chdev -P and
// -T). Nothing here touches the kernel: package effect derives from the
// running values what the kernel should be, and anyone who applies it restores a
// Snapshot if the kernel refuses.
package odm
