// Package history reads results that bench and lab replay have saved, and finds
// those among them that answer the same question: the same load between the same
// hosts, measured at different times.
//
// Read takes files and folders. A file that is not a saved result is passed over and named
// with the reason, so that nothing is missing silently. Series puts the figures of
// like measurements in the order of time, each with its effect against the first.
// Such an effect is not paired: whatever else changed in between is in it. Only a
// comparison in interleaved blocks (bench compare) holds that apart.
package history
