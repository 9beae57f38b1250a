// Package local is a remote.Host for this machine: command lines go to sh -c.
// Every command gets a process group of its own, so that reaching a limit ends
// whatever the line started and not just the shell.
package local
