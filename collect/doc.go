// Package collect decides what to run on which host, runs it, and keeps the
// raw outputs: a snapshot is a folder with one file per command and a
// manifest.json. Collect only reads; it never changes a host.
package collect
