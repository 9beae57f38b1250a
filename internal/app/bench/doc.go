// Package bench prepares measurements of paths and compares plans: it connects
// the two ends and the hosts between them, finds the address to measure, and
// puts plans on in turns, so that whatever happens all is as it was found
// afterwards.
package bench
