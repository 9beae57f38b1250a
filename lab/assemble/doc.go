// Package assemble puts the nodes of a lab together: which commands they
// have, served by the supervisor or run in the calling process, what attributes
// do to the kernel, and what is counted there: large sends, receive buffers, the
// clients of an SEA, CPU time.
package assemble
