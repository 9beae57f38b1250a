// Package stream watches running hosts and gives what they do to any number of
// viewers: the frames of package live, with what was before them.
//
//	live.Watch ──Event──▶ Hub ──Frame─▶ viewer, viewer, …
//
// News of several hosts become one frame. A viewer who is too slow misses
// frames; those that come later say everything again.
package stream
