// Package registry lists the outputs that seaworthy knows, one Entry each: the
// command, how collect asks a host for it, how import recognises it, the codec
// that reads it, and what it is good for. What an output becomes in the
// inventory is a table by the same ids in inventory/assemble, which this
// package is below of.
//
// The entries are YAML: aix.yaml, vios.yaml and so on. codecs.go and fits.go hold
// the functions that they name.
//
// A new codec is a folder in dialect, an entry here with its line in codecs.go,
// and, if it feeds the inventory, a function with its line in assemble's table.
// A command that is only recognised is an entry alone.
//
// The order of entries matters in three places: collect asks in it, a command
// line is the first entry's whose form it has, and of two entries that
// understand a text equally well the first is taken.
package registry
