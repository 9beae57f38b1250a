// Package entstat reads and prints the statistics of Ethernet adapters as AIX
// and VIOS print them: entstat, entstat -d, ioscli entstat -all, and the
// Ethernet sections of netstat -v.
//
// There is one text per driver family and per level, and no list of them is
// ever complete. So the codec does not know files, it knows lines: a line with
// two counters side by side, a label with a value, a table row, a list that
// wraps, a heading. Each becomes a Field in printed order, with the section it
// stands under; labels are compared without regard to case and blanks. What a
// driver never seen before prints is kept by its printed name and can be asked
// for; what is no such line at all is kept verbatim in its place and counted in
// the Report.
//
// A Shared Ethernet Adapter and an EtherChannel print the whole statistics of
// their adapters below their own. Every adapter is a Statistics of its own in
// Members, so no counter can be taken for another adapter's.
//
// The methods of Statistics answer what consumers ask, whatever the driver
// calls it: Link, PVID, Buffers, Offload, HA. They answer nil for what is not
// printed. New and the Head, Virtual, Physical, Channel and Bridge blocks build
// a value that never was a text; Format then prints it as AIX 7.2 and
// VIOS 3.1 do.
package entstat
