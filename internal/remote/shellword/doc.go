// Package shellword makes one word of a command line out of any text.
//
// A command line reaches a host as text that a shell takes apart. Whatever
// is in it and came from a host, a file or a user goes through Quote, so
// that no value can become a command. AIX's ksh88 and ksh93, the VIOS's
// restricted shell, mksh, dash and bash read the result alike.
package shellword
