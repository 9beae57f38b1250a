// Package hub is the middle of a fleet: it knows the zones and their hosts, makes the jobs
// of a sweep, gives each zone's lease to one collector, takes results, checks them against
// the jobs that they answer, has them kept, and writes down one outcome of each host.
//
// All that it must know after it was killed is in the queue's streams and buckets; what
// is in memory is a copy. One hub serves a fleet.
package hub
