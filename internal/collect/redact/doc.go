// Package redact copies snapshots without what identifies their owner, so that
// they can be given away.
//
// A word stays only if it is known to be harmless: a word that the commands
// print of themselves (words.txt), the name of a device, a number, a level.
// Everything else is replaced: addresses, MACs, names, users, serial numbers,
// WWNs, UUIDs and whatever else a text holds. An output without a codec
// is left out, and the copy's manifest says so.
//
// In fields that people fill, and in texts that programs write as they like
// (errors, command lines, logs), nothing stays but whole known words, devices
// and small numbers. Four numbers with dots are an address unless the output
// says that they are a level. Letters of every script count, and so do escaped
// ones.
//
// Each replacement is a keyed function of what it replaces: the same key gives
// the same replacement in every output, every host and every later snapshot,
// so joins and rules work on the copy as on the original, and two redacted
// snapshots compare. Without the key nobody can check a guess. Two addresses
// share as many leading bits after as before; loopback, link-local, multicast
// and netmasks stay; a MAC keeps its two flag bits, a serial number its length,
// a location code its form.
//
// A name that is also a harmless word ("network", "backup") is replaced only
// where an output says that it is a name, and reported.
package redact
