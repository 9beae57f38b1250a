// Package entstat reads and prints the statistics of Ethernet adapters as AIX
// and VIOS print them: entstat, entstat -d, ioscli entstat -all, and the
// Ethernet sections of netstat -v.
//
// There is one text per driver family and per level, and no list of them is
// ever complete. So the codec knows no driver: package labels turns lines into
// fields by their shape, and this package knows only the lines at which an
// adapter starts. A Shared Ethernet Adapter and an EtherChannel print the whole
// statistics of their adapters below their own. Every adapter is a Statistics
// of its own in Members, so no counter can be taken for another adapter's.
//
// The methods of Statistics answer what consumers ask, whatever the driver
// calls it: Link, PVID, Buffers, Offload, HA. They answer nil for what is not
// printed.
//
// Format prints an Adapter, which is made of the same typed blocks, as AIX 7.2
// and VIOS 3.1 do.
package entstat
