// Package linewise reads the outputs that need no parser of their own: each line
// is a row, stands above rows, or says something by itself.
//
// Every output is an entry of Table: its name, how it is recognised, and the
// patterns of its lines, whose named groups go to the fields of a struct by the
// tag "from". Where a line depends on those above it, the entry has a function
// that reads one line after the other instead. A file holds the types of one
// output, its entry and its Parse function.
package linewise
