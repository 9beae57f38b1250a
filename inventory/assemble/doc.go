// Package assemble makes the typed model of a host out of what its commands
// printed. It uses the codecs and adds what no single output says: which
// adapter is a member of which SEA, which value runs now and which one waits
// for the next boot.
//
// On AIX the ODM (lsattr) holds the next-boot value; what runs is read from the
// driver or the interface itself (entstat, ifconfig, netstat, no -L). Where
// nothing shows the running value it stays unknown. An output that cannot be
// read leaves a gap with the reason.
package assemble
