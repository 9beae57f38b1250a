// Package design chooses which combinations of settings a study measures, and in
// which order, so that few runs tell the effect of every factor.
//
// A factor is a setting with two levels; a run is one level of each. The
// first of these that fits the budget of runs is taken:
//
//   - the full factorial: every allowed combination;
//   - a regular two-level fraction of resolution V: every main effect and every
//     two-factor interaction can be told from the others;
//   - one of resolution IV: main effects are free of two-factor interactions, some
//     of these cannot be told from each other;
//   - a Plackett–Burman design with its foldover: as before, with two-factor
//     interactions mixed in part.
//
// Runs that are not allowed are replaced by the nearest allowed ones. What a design
// cannot tell apart it says in words, from the runs as they are then.
//
// Factors whose change costs an outage make the design a split plot: runs that
// agree in them form a whole plot and are measured one after the other.
package design
