// Package top shows the tree of package live on a terminal and takes keys.
//
// Screen is the whole state: Update takes a key, a size or a Frame, View gives
// the lines. Neither touches a host or a terminal, so tests send keys and compare
// lines. Run joins it to a terminal and to whatever makes frames.
package top
