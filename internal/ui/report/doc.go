// Package report says what findings, plans, paths, runs and measurements are, for
// people: functions add to a Document, a file a result. Print writes a result in one
// of the Formats; package doc has the writers. What holds for every document:
//
//   - units are in the heading of a column, or in a column of their own;
//   - what is not known is a dash, never a zero;
//   - the same data make the same document.
package report
