// Package printout holds what the listings of AIX device commands share: a
// sequence of rows with other lines between them, error messages that stand
// inside the data, and terminal colours in text that went through a pager.
//
// A codec keeps a Layout beside its typed rows. The layout knows only order and
// line ends; the words of a row always come from the codec's values.
package printout
