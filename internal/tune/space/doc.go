// Package space says what tune may vary between two interfaces: the factors,
// each with the settings of its levels, taken from the catalogue for the elements
// of the path, or from a file. What cannot be tried is left out, with the reason.
package space
