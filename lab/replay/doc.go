// Package replay runs the experiments that the project's sources report on a
// lab of its own, and compares what they measured with what this machine does.
//
// Every experiment is data (experiments/*.yaml): paths through topologies,
// variants as command lines for the nodes, workloads that bench measures or
// commands whose printed figures are found by expressions, the published
// figures, and the claims that were drawn from them. Run starts the topology,
// measures every path in every variant in randomised blocks, and takes the lab
// down. A new experiment is an entry there; it needs no Go.
//
// A claim is judged by our own interval, in the direction in which it was made:
// it holds, it does not, or the trials did not show it. Both ratios are given.
// Why a claim holds less, or not, follows from what the trials measured: the
// line that was full, the processors that were busy, the window that held the
// sender back, and from what the lab says its attributes do. What a lab cannot
// do is "not in this lab", with the reason; nothing is scaled to resemble the
// source's machines.
//
// Results keep the seed of their order, samples and limits. An interrupted run
// keeps the trials that were finished.
package replay
