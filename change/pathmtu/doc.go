// Package pathmtu proves how large packets may be on the way between two
// hosts, and names the element that stops larger ones.
//
// It sends pings that must not be fragmented, in both directions, of the sizes
// just at and just above what the path's elements say they carry. What happens
// to one that is too large tells faults apart: the sender refuses it, a router
// says so by ICMP, or it vanishes, which is what makes connections hang. The
// element is the first of the path that says it carries less; if none does, it
// is one that no host can see, a switch, and hosts besides the two tell which
// side of it.
package pathmtu
