// Package codectest holds what every codec's tests check in the same way: that
// Format gives back what Parse read, on real outputs and on damaged ones, and
// that Format prints the typed values and not a copy of the text.
package codectest
