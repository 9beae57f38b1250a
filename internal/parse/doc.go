// Package parse holds what every codec shares: how a text that a host
// printed is read, and how a codec reports what it did not understand.
//
// A codec is a package of its own below dialect/aix, dialect/linux or
// dialect/load, named after the command whose text it reads:
//
//	func Parse(text []byte) (*T, error)
//
// T embeds a Report. Parse never panics and never invents: a number that is not
// there stays absent (a nil pointer or a missing map key), a line it does not
// know is kept and counted in the Report. It returns ErrNotRecognised only if
// the text is not the command's output at all. Codecs begin with Read or Lines;
// packages table and labels read what most commands print, columns and labels with
// values, and Fill gives them to the fields of a struct by its tags.
//
// Format exists only for what the lab prints. It prints typed values alone and
// knows nothing of the text they were read from, mostly by a Layout. Package registry lists every
// codec with its command.
package parse
