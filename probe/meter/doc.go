// Package meter reads how much CPU a host used over an interval, in cores,
// from the system's own accounting: /proc/stat on Linux, lparstat's physc on
// AIX. What cannot be read is an error, never zero.
//
// Hosts that share a kernel (containers, namespaces) read the same counters.
// A Usage therefore names its scope; a sum over hosts takes each scope once.
package meter
