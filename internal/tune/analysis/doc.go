// Package analysis tells from the trials of a study which settings matter, what
// combination promises most, and which candidates of a race are out.
//
// Every response is the logarithm of a trial's figure divided by that of the
// reference trial it is paired with; larger is better. So an effect of 0.05 is a
// gain of 5 %, and drift from block to block cancels out.
//
// Effects are estimated by least squares, main effects first. Of the two-factor
// interactions only those with a named parent are candidates (weak heredity).
// Effects are named one by one, the surest first, as long as the corrected
// p-value stays below 5 %: a study in which no setting matters names one in at
// most 5 % of cases.
//
// Trials that are measured together, with the same hard settings, form a whole
// plot. What changes between plots only is judged against the spread of plots,
// not of trials.
package analysis
