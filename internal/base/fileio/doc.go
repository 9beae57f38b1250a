// Package fileio writes every file that seaworthy leaves on this machine:
// snapshots, plans, scripts, reports, journals, results, keys.
//
// A file is complete or not there: it is written under a temporary name and renamed.
// Only its owner can read it (0600, scripts and folders 0700), whatever the umask.
// A path may lead over symbolic links, or to a pipe, but only those that the caller or
// the owner of their folder has made: in /tmp nobody else decides where root's file
// goes, also where the kernel's fs.protected_symlinks is off.
package fileio
