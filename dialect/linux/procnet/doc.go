// Package procnet reads and prints /proc/net/snmp and /proc/net/netstat: for
// each protocol a line of names and a line of numbers. Which names there are
// depends on the kernel, so values are found by name, never by place.
package procnet
