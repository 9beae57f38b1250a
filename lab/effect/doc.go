// Package effect says what an attribute does to the kernel in this lab.
//
// Desired is a pure function: it takes the topology and the running values of
// every node and gives the whole state the kernel should be in. A change of
// one attribute therefore needs no code of its own: the ODM is changed,
// Desired is asked again, and wire applies what differs. Table is the same
// knowledge in words, for every attribute of the catalogue: a kernel effect,
// recorded only, or refused.
//
// Who segments a large frame follows from four kinds of ends. An LPAR's
// interface sends it whole if largesend is on; if not, TCP itself makes frames,
// and hands down a pair at a time. The hypervisor switch hands it
// on whole; towards a trunk adapter only if the SEA takes large frames. A
// VIOS's port leaves segmentation to the port if large_send is on. The
// Ethernet switch only ever sees wire-sized frames leave.
//
// The kernel lets a segmented-later frame pass every MTU check. Where some
// element of a network passes less than an interface sends, Desired makes the
// senders segment, so that the small element loses packets as it does on real
// hardware.
package effect
