// Package delay makes packets take their time on a cable, as on one of many
// kilometres.
//
// What the Ethernet switch of a lab passes by a delayed port is held by the
// kernel in a queue of its packet filter (nfnetlink_queue). A Holder reads of
// each packet when it arrived and where it goes, waits, and lets it go on; the
// packet never leaves the kernel, and a large one stays whole. It needs no
// privilege. When its process ends, however, the kernel loses what is held.
//
// On one way order is kept. Nothing is lost while the Holder gets a processor
// before the kernel's list of new packets is full; the kernel counts what is.
// While packets wait it sleeps until the next may go on, and without any until
// one comes.
package delay
