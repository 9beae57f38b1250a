// Package prtconf reads the configuration of a system: prtconf and
// lsconf, which print the same. The machine's model, serial number and
// partition join a host to its managed system.
//
// The list of installed resources at the end is lscfg's and is read by that
// codec. Volume groups are not of interest: their lines are passed over.
package prtconf
