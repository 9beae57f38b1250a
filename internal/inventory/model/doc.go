// Package model is the typed model of hosts: their elements (interface,
// virtual adapter, SEA, EtherChannel, physical adapter), what each attribute
// is now, will be after a reboot and is by default, their counters, and the
// path that joins two interfaces.
//
// What a host did not say stays unknown: an absent attribute, a nil pointer.
package model
