// Package lab builds a whole PowerVM network from Linux network namespaces:
// LPARs, VIOSes with Shared Ethernet Adapters, hypervisor switches and an
// Ethernet switch. Its nodes answer the commands of AIX and VIOS, and an
// attribute changed there changes the kernel's real network path.
//
// Up starts a lab: a supervisor process in namespaces of its own, which the
// lab ends with. Open finds a running one, List all of them, Down ends one.
// Every command on a node runs as an SSH login, so that Exec, the stock ssh
// client and every other SSH program see the same host.
//
// A program that starts labs calls Main first thing in its main function: the
// supervisor, the SSH client's connection to a node and the nodes' commands
// are the same program, started again.
//
// Below it: topology (what is wanted), wire (namespaces, cables, adapters in
// the kernel), packetfilter (nf_tables), delay (packets on a long
// cable), buffers (receive pools), odm (attributes of a node), effect (what an
// attribute does to the kernel here), node (the commands), printing (what they
// print), traffic (ftp,
// netperf, ping), profile (tprof, trace), rpc and shim (a node's shell calls
// the supervisor), rootfs (what a node's shell sees), cputime (whose CPU time
// it is), fusefs (files made when they are opened), quota (capped and weighted
// partitions), fault (what breaks), capture (frames at every hop), sshd
// (logins), supervisor (the process that is a lab), assemble (which puts all
// of them together).
// The lab never fakes a measured number.
package lab
