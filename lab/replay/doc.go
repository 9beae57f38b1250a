// Package replay runs the experiments that the project's sources report on a
// lab of its own, and sets what they measured beside what this machine does.
//
// Every experiment is data (experiments/*.yaml): topology, variants as command
// lines for the nodes, workloads, the published figures, and the claims that
// were drawn from them. Run starts the topology, applies the variants in
// randomised interleaved blocks, measures, and takes the lab down.
//
// A claim is judged by our own interval, in the direction in which it was made:
// it holds, it does not, or the trials did not show it. Both ratios stand side
// by side. Why a claim holds less, or not, is told from what the trials
// measured: the line that was full, the processors that were busy, the window
// that held the sender back, and from what the lab says its attributes do.
// What a lab cannot do is "not in this lab", with the reason; nothing is
// scaled to resemble the source's machines.
//
// Results keep their seed, samples and limits. An interrupted run keeps the
// trials that were finished.
package replay
