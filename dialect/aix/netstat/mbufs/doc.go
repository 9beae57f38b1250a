// Package mbufs reads AIX netstat -m: the kernel's network memory, by size for
// each CPU and by type. The interesting columns are failed and delayed:
// requests for mbufs that were refused or had to wait.
//
// Tables are read by their headings, so that other columns and other levels
// need nothing new.
package mbufs
