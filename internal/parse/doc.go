// Package parse holds what all codecs share: how the text that a host printed is
// read, and how a codec reports what it did not understand.
//
// A codec reads the output of one command. Most are entries of the table in
// package linewise; one that needs more than a line at a time is a package of
// its own in aix, linux or load, named after the command:
//
//	func Parse(text []byte) (*T, error)
//
// T embeds a Report. Parse never panics and never invents: a number that is not
// there stays absent (a nil pointer or a missing map key), a line it does not
// know is kept and counted in the Report. It returns ErrNotRecognised only if
// the text is not the command's output at all. Codecs begin with Read or Lines;
// packages table and labels read columns and labels with values, and Fill gives
// them to the fields of a struct by its tags. Package registry lists every codec
// with its command.
//
// Codecs read. What the nodes of a lab print is in lab/printing.
package parse
