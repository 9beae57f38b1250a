// Package collect decides what to run on which host, runs it, and keeps the
// raw outputs: a snapshot is a folder with one file per command and a
// manifest.json. Collect only reads; it never changes a host.
//
//	DIR/lpar1/manifest.json
//	DIR/lpar1/lsattr-El.en0.txt     what the command printed
//	DIR/lpar1/entstat-d.ent3.err    what it printed on stderr, if anything
//	DIR/lpar2.partial/              interrupted: its manifest says why
//
// While a host is being read its folder ends in ".partial"; it gets its name
// when everything is in it. Each file is complete or absent.
//
// Fleet makes snapshots; Read gives the inventory of a host and keeps nothing.
// Values reads a host again and again for a change: only what a change is
// checked by, many commands in one session.
//
// What a host prints is data: a device name out of its output is put into a
// command line only if it has the form of one.
package collect
