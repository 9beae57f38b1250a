// Package notify tells a command or a web server what is new or gone since it was told last:
// findings of an audit, values that drift from a site's file.
//
//	now ──compare── state file ──▶ message ──▶ command's stdin, or POST ──taken──▶ state file
//
// What the receiver did not take stays untold, and is told next time. A process that dies
// between the two tells the same message twice: its id is the same. What was not judged
// this time is neither new nor gone.
package notify
