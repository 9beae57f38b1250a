// Package clean undoes what happened to a text on its way from the terminal:
// an editor's encoding, a word processor's quotation marks and dashes, a
// mail's quote marks, line numbers, time stamps, corrections at a prompt, a
// pager's marks, the frame of a terminal's pane.
//
// Each step looks for its own traces on nearly all lines of the text and does
// nothing without them, so that a text that came undamaged stays as it is, byte
// for byte. What was undone is part of the result. No step makes up a
// character: it only takes away, or puts the character that was typed in place
// of one that looks like it.
package normalize
