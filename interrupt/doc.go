// Package interrupt ends work that does not look at its context: a sort, a printer,
// a read of a pipe that nobody writes to. Who waits for such work stops waiting.
package interrupt
