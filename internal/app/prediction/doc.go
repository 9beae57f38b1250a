// Package prediction answers what a path will carry and cost under a load, now
// and after a change: from what hosts said, from an earlier reading and from
// saved measurements.
package prediction
