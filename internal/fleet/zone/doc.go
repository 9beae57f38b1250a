// Package zone is the collector of a zone: it dials out to the hub, and holds the zone's
// lease, without which it reads no host. With it, it takes jobs, reads hosts within the
// limits of jump hosts, managed systems and VIOS pairs, and sends what they said.
//
// A snapshot is on this machine's disk, in the spool, until the hub's queue has it and
// its job. So the link may be cut, and the collector be killed, at any time: what was read
// is not read again. While the link is cut it works on with the jobs that it has, until
// its lease ends: then another collector may read these hosts, and it stops.
package zone
