// Package lsdev reads and prints lists of devices: lsdev -Cc CLASS of AIX with
// its four columns, -H, -F with any list of columns, and the table that lsdev
// prints on a VIOS.
//
// The location column is blank for pseudo devices (an SEA, an EtherChannel, an
// interface), so a location is taken only where its shape or the columns of
// the other rows show it.
package lsdev
