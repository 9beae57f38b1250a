// Package plain is an analyzer that holds the tree to code that is read in the
// order in which it runs: one statement does one thing, and a condition only asks.
//
// It reports
//
//   - an initialiser of if, for or switch that neither declares with := nor
//     assigns the error of one call, and one whose condition asks about
//     something else;
//   - a condition that calls a function of this module which writes to its
//     receiver, its arguments or a package's variable, but for iterators such
//     as Next and Scan;
//   - a literal of a map or slice that is indexed where it stands;
//   - an assignment of more than three values, but from one call;
//   - a local name that hides an import of its file;
//   - a function of more than 60 lines that is not a list, and a type with more
//     than 30 methods.
//
// Run it with go run ./internal/tools/plain/plainlint ./...
package plain
