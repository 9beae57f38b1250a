// Package message is what a hub and the collectors of its zones tell each other: jobs,
// results, lists of hosts and leases, the subjects on which they travel, and snapshots
// as packs in chunks that are named by their SHA-256.
//
// A zone's messages are on subjects of that zone, which the hub's server enforces. What
// a message says besides is data of somebody who may be hostile: everything is bounded,
// and the hub checks it against the job that it answers.
package message
