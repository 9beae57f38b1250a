// Package routes reads and prints the AIX routing table, netstat -r and -rn.
//
// The table has one tree per protocol family. Texts around it come in the
// host's language; the columns do not, or else are known by their number. The
// line "Only the root user can specify the Z flag." can stand inside the table.
package routes
