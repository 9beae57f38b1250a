// Package redact copies snapshots with their addresses, MACs, host names and
// serial numbers replaced, so that they can be given away.
//
// Each replacement is a keyed function of what it replaces: the same key gives
// the same replacement in every output, every host and every later snapshot,
// so joins and rules work on the copy as on the original, and two redacted
// snapshots compare. Without the key nobody can check a guess.
//
// What stays recognisable, because rules need it: two addresses share as many
// leading bits after as before (from the second octet on, so subnets of every
// size stay subnets); loopback, link-local, multicast and netmasks stay what
// they are; a MAC keeps its two flag bits; a serial number keeps its length,
// and a location code its form.
//
// Names are learned first, from all hosts of the folder: where an output says
// that a word is a host's name, the word is replaced wherever it occurs. A name
// that is also a word of the outputs ("network", "p1") is replaced only where
// it is said to be a name, and reported. A name that no output says is one (of
// a virtual switch, of a person in a free text) is not found: look through what
// you give away.
package redact
