// Package diagnose answers why a path is slow. It holds what was read and measured
// of the path against the catalogue's causes (symptoms.yaml): each has rules
// whose findings show it, and checks of its own over what was measured. Causes
// hide what follows from them and are ordered by the share of a stream's
// throughput that they cost, weighted by how sure they are.
//
//	measure.go    live: echo requests both ways, path MTU, clocks
//	link.go       live: looks at links, once packets were lost
//	activity.go   live: processors, connections of both ends
//	saved.go      the same, as collect stored it beside the snapshots
//	judge.go      findings → causes, in order
//	cause.go      one cause; hosts that cannot be read, ends that answer no ping
//	diagnosis.go  the result
package diagnose
