// Package ticket writes a plan for people: per host three scripts that do by
// hand what apply does (implement.sh, verify.sh, backout.sh), and CHANGE.md,
// which says what is changed, why, in which order on which host, what users
// will notice, and how to take it back. None of them needs seaworthy.
package ticket
