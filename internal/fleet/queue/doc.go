// Package queue is NATS JetStream as a fleet uses it: the server within the program, its
// streams, and what each user may do there.
//
// Each zone has three streams: jobs-ZONE and results-ZONE are work queues, chunks-ZONE
// holds parts of snapshots until the hub has them. A zone may take its jobs and write its
// results, chunks, list of hosts and wish for a lease; it may read nothing else and list
// nothing. Only the hub and an operator talk about sweeps.
//
// A server is alone, or one of a cluster of three or more, whose streams, consumers and buckets are on
// three members each and go on while two of them are there. The same code uses both: what it relies on
// is a table of cases in the tests, which holds for either. Members trust each other by certificates of
// one CA. What a user may do is checked by the member to which it is connected, so that each has to be
// told of users, and of those to drop. The key with which a process connects to its own member is made
// at each start, is in that process alone, and is taken on no other connection. Leases end by the clock
// of the member that leads them: the clocks of members must agree within a tenth of a lease, which a
// collector leaves unused.
package queue
