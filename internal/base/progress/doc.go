// Package progress shows how far a command is while it runs: what is being done,
// how many of how many, what failed so far, and the time left.
//
// The Meter that draws it travels in the context, so the package that does the
// work says how far it is, and none in between hands anything on:
//
//	t := progress.Begin(ctx, "reading snapshots", "host", len(found))
//	defer t.End()
//	t.Step(name) // for each one that is done
//
// On a terminal it is one line that is redrawn and wiped at the end; without one,
// a line every 10 s. A context without a Meter shows nothing.
package progress
