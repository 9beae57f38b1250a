// Package ipaddr reads and prints the text of ip addr and ip link, as iproute2
// prints it without -j: for levels that know no JSON (RHEL 7, SLES 12), and for
// texts that were saved by hand.
package ipaddr
