// Package livefile makes a folder of files whose text is made when they are
// opened, as the kernel's own in /proc are. A lab shows its nodes figures in
// them that the kernel keeps for the whole machine only.
//
// It speaks the kernel's FUSE protocol (linux/fuse.h, version 7.31), of which
// a flat folder of read-only files needs little: look up, attributes, open,
// read, release. The process that serves a folder must not os.Open its files:
// the runtime then waits for itself with a processor held. Whoever ends the
// process ends the folder: what was open then fails to read, and nothing waits.
package livefile
