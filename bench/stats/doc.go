// Package stats turns repeated measurements into figures with intervals, and
// pairs of measurements into an effect with a verdict.
//
// All intervals are 95 % ones. Trials are few and their spread is roughly in
// proportion to their size, so the methods work on ratios (logarithms) where
// they can and are named in the result:
//
//   - a median of six or more values: the order statistics whose binomial
//     coverage is at least 95 %, free of any assumption on the distribution;
//   - of two to five values, where no order statistic reaches 95 %: Student's t
//     on the logarithms (on the values themselves if one is not positive);
//   - an effect: Student's t on the logarithms of the ratios B/A of the blocks;
//   - an effect that is looked at while blocks are still being measured: the same
//     with O'Brien–Fleming bounds over the planned looks.
//
// One value has no interval.
package stats
