// Package manual writes the manual pages of a program: one for each of its commands.
//
// A page stands alone: besides what --help prints it has the exit statuses, the environment, the files, and the pages to
// read next. The first three are the same for all commands of a program, in the folder common; a command with statuses of
// its own says so in its description.
package manual
