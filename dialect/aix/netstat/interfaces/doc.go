// Package interfaces reads and prints AIX netstat -in, with -a and -d too.
//
// The table has one row per address, and every row of an interface repeats the
// same counters: adding them up would count twice. ByName gives the counters
// once. Columns come from the heading, counters are read from the right, since
// an address may be missing or longer than its column.
package interfaces
