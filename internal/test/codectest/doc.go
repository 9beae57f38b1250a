// Package codectest holds what every codec's tests check in the same way: the
// values read from real outputs, that what is printed is read back, that
// damaged outputs give no wrong values, and that any text is read fast.
package codectest
