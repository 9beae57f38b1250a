// Package chart draws measurements as SVG: every trial with its interval
// (Trials), what happened within each trial (Course), effects on a logarithmic axis (Effects), cores by host (Stack), a
// matrix of effects (Matrix), rates, spells and events over days (Past) and the effects of a screening (HalfNormal).
//
// A chart shows what was measured, not only what it comes to: all points, the
// interval around the median, and which trials belong to one block. Colours are
// those of Okabe and Ito, which people with any colour vision tell apart; nothing
// rests on colour alone. Every chart gives its numbers as a table too.
package chart
