// Package pathmtu proves how large packets may be on the way between two
// hosts, and names the element that stops larger ones.
//
// It sends pings in both directions, of the sizes just at and just above what
// the path's elements say they carry. From Linux they must not be fragmented, so
// that what happens to one that is too large shows the fault: the sender refuses
// it, a router reports it by ICMP, or it vanishes, which is what makes connections
// hang. AIX's ping cannot forbid fragments up to 7.2: there the IP counters of
// both ends are the second witness, read before and after: no fragment made and
// none received means that the packets were whole. A flag of a newer ping is used
// only once it kept a packet that is too large from being sent. Every hop is
// proved, implied or open, with the witness. The element at fault is the first of
// the path that says it carries less; if none does, it
// is one that no host can see, a switch. Which side of it, a third point shows
// that is beyond the switch and answers a ping: the default gateway, an
// interface of another host, a neighbour in the ARP table. A packet that
// reaches it from one end and not from the other names the port; one that it
// takes from nobody says nothing.
package pathmtu
