// Package queue is NATS JetStream as a fleet uses it: the server within the program, its
// streams, and what each user may do there.
//
// Each zone has three streams: jobs-ZONE and results-ZONE are work queues, chunks-ZONE
// holds parts of snapshots until the hub has them. A zone may take its jobs and write its
// results, chunks, list of hosts and wish for a lease; it may read nothing else and list
// nothing. Only the hub and an operator talk about sweeps.
package queue
