// Package layout keeps where the values of a printed line stood, apart from
// the values, so that a codec can print a changed value in the old place.
//
// A codec cuts a line into words with Words, understands the words, and keeps
// the gaps between them as a Line. Place puts the texts of the typed values
// back: an unchanged text lands on the same bytes, a longer or shorter one
// moves as the host's own printf would move it (right-aligned cells eat the
// gap to their left, left-aligned ones push what follows).
//
// Sheet is the frame around the lines: line ends, and the lines nobody
// understood, which stay in front of the line that followed them.
package layout
