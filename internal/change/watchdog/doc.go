// Package watchdog puts a change into the care of the host it changes, so that a
// session that is lost cannot leave the host unreachable.
//
// Begin writes one POSIX shell script to a private folder on the host: the
// steps, their undo and a watchdog. Two watchers, in sessions of their own,
// count down; anyone who asks for a step, or for more time, starts the count
// again. Confirm ends it. If the count reaches zero the host itself stops the
// step under way and restores every value, again and again until it reads
// back, and keeps a record of that.
//
// A run is in one state, a file whose name is the state; every transition is
// one rename, so that of a confirmation and a revert at the same moment one
// wins and the other sees that it lost. No act of the revert needs disk space.
// On a Linux host without systemd nothing would roll back after a reboot: there the
// values of the next boot are written by Confirm, not with their steps.
// Sleeps are counted, not the clock read: setting the clock changes nothing.
// The state on the host is all there is to know: any machine that can log in
// can ask for it, confirm, or roll back.
package watchdog
