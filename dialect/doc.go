// Package dialect holds what every codec shares: how a text that a host
// printed is read, and how a codec reports what it did not understand.
//
// A codec is a package of its own below dialect/aix or dialect/linux, named
// after the command whose text it reads. It has two functions, inverse to each
// other:
//
//	func Parse(text []byte) (*T, error)
//	func Format(v *T) []byte
//
// Parse never panics and never invents: a number that is not there stays
// absent (a nil pointer or a missing map key), a line it does not know is kept
// verbatim and counted in the Report. It returns ErrNotRecognised only if the
// text is not the command's output at all. Format prints the typed values; the
// layout hints Parse kept (widths, order, style of a level) only place them.
package dialect
