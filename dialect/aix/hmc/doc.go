// Package hmc reads what an HMC lists: lshwres, lssyscfg and their
// like, one record a line, name=value after name=value.
//
// A value that holds commas makes its whole field quoted
// ("addl_vlan_ids=10,11"); quotes inside are doubled, and a quoted field can
// hold line ends (lshmc -V). With -F the names are missing unless --header
// prints them, so ParseFields takes the list that was asked for.
package hmc
