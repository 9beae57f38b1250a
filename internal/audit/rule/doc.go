// Package rule compiles the catalogue's rules, judges a fleet by them and runs their
// test cases.
//
// A rule's check asks two conditions of each element of its kinds: when it
// applies, and when something is wrong. Both are asked of the values in force,
// and once more of the next boot's where those will differ. What is not known
// makes the verdict NOT_ASSESSED, unless the outcome does not depend on it. A
// rule marked rest is judged last and does not see a difference that another
// finding has named.
package rule
