// Package assemble makes the typed model of a host out of what its commands
// printed. It uses the codecs and adds what no single output says: which
// adapter is a member of which SEA, which value runs now and which one waits
// for the next boot.
//
// On AIX the ODM (lsattr) holds the next-boot value; what runs is read from the
// driver or the interface itself (entstat, ifconfig, netstat, no -L). Where
// nothing shows the running value it stays unknown.
//
// On Linux a netdev is interface and adapter in one: one element that holds
// addresses, offloads and counters, of the kind its driver has (ibmveth is a
// virtual adapter, a bond an EtherChannel). What runs comes from ip, ethtool,
// sysctl and sysfs; what the next boot brings comes from NetworkManager or from
// the files of the distribution, where they were read. Attributes have the names
// that the linux layer of package knowledge gives them.
//
// A feed is a type that puts some outputs into the host. Each has a file with the
// table of its outputs on top; feeds.go joins the tables.
//
// An output that cannot be read leaves a gap with the reason, and so do lines
// that were not understood. A last line without a line end is left out: a
// number on it may lack digits.
package assemble
