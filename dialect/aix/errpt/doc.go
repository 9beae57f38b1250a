// Package errpt reads and prints the error report of AIX: the short form, one
// line an error, newest first; and the blocks of errpt -a, whose texts are kept
// as they stand.
//
// A report without errors is an empty text, so that is an answer here.
// Entries of network devices can be told from the rest by their resource or
// label.
package errpt
