// Package vnicstat reads and prints VIOS vnicstat -b and -d: what a vNIC server
// passes between its client and the SR-IOV logical port behind it.
//
// A server's text is made of headed parts with labels, some in two columns. In
// the parts headed "TX" and "RX" the columns are the directions; elsewhere they
// are just two columns. With -b the backing device's own statistics follow,
// whose labels depend on its driver: they are read by label, and the line they
// stand below is kept with them ("Transmit Q0 Statistics").
package vnicstat
