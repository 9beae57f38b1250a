// Package lsmap reads and prints lsmap of a VIOS: which virtual Ethernet
// adapter is bridged by which SEA over which device (-all -net, as blocks or
// with -fmt). The blocks of -vscsi, -npiv and -vnic that come with -all are
// recognised and kept as Others.
//
// A trunk adapter that no SEA bridges prints NO SHARED ETHERNET ADAPTER FOUND
// in place of a name: that is an answer (NoSEA), a block that was cut off before
// its SEA line is not, and leaves a warning.
package lsmap
