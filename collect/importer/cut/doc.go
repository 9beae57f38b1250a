// Package cut takes a text apart into the outputs of single commands: the
// sections of an IBM snap, a saved terminal session with its prompts, a file
// in which a script wrote a heading before each output, the BBBP lines of an
// nmon file, or outputs that simply follow each other.
//
// What parts a text is looked for in that order, the surest sign first. A
// heading or a prompt counts only with a command line that is one: a word in
// brackets or a line of dashes parts nothing.
package cut
