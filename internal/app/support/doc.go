// Package support packs what a report of a bug needs into an archive, with all
// that identifies hosts and users replaced.
package support
