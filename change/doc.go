// Package change turns wanted settings into an ordered, reversible plan, and
// a plan into a run: every step journalled before it acts, verified by reading
// back, undone if a later one fails.
package change
