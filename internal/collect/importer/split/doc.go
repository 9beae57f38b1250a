// Package split takes a text apart into the outputs of single commands, and
// first of single hosts: the JSON of ansible, lines with their host's name
// before them (dsh), headings that name a host (dshbak, clcmd, a loop with
// echo). What one host printed is then the BBBP lines of an nmon file, the
// sections of an IBM snap or of a supportconfig, a saved terminal session with its prompts, a file in
// which a script wrote a heading before each output, or outputs that simply
// follow each other.
//
// Before all that, what prompts separate behind which no known command was typed
// is taken apart piece by piece, and blanks before every line are taken off where
// the text is better understood without them.
//
// These signs are looked for in that order, the surest first. A heading or a
// prompt counts only with a command line that is one: a word in brackets or a
// line of dashes parts nothing. A host's name counts only if what follows it is an output that is known.
package split
