// Package vnicstat reads VIOS vnicstat -b and -d: what a vNIC server passes
// between its client and the SR-IOV logical port behind it.
//
// The text is made of headed sections with labels, some in two columns, which
// package labels reads. With -b the backing device's own statistics follow,
// whose labels depend on its driver.
package vnicstat
