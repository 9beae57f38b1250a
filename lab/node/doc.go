// Package node keeps the nodes of a lab: Simulator has the topology, a device
// database per node (package odm), faults, error logs, counters, and the kernel
// behind a few functions, so that tests run without namespaces. Package commands
// answers from it.
//
// A change goes in three steps: the database's method checks and writes it,
// effect.Desired says what the kernel should be now, Apply makes it so. If the
// kernel refuses, the database gets its copy back and the command fails with
// the kernel's words behind AIX's message number.
package node
