// Package change turns wanted settings into an ordered, reversible plan, and
// a plan into a run.
//
// Build orders the steps: what carries traffic before what sends it, and back
// when something is lowered; a VIOS pair one after the other; receive pools'
// maxima before their minima. Foresight builds a plan and audits the hosts as
// they would be afterwards: what would lose packets is refused.
//
// What no host can set, a switch's ports, is a step by hand before all others:
// a run waits until packets show that it was done, or the user says so.
//
// A run is carried out in one of two ways. Apply sends each step over the
// session, journals before it acts, reads back, and undoes all if one fails.
// ApplyWithin puts every host into its own care first (package keeper): hosts
// that are not confirmed in time take everything back by themselves, whatever
// became of this program. Confirm, Rollback and Watched work from any machine.
//
// Below it: shell (steps as functions of a script), ticket (scripts and
// CHANGE.md for people), keeper (the script that stays on a host), pathmtu
// (which packets pass, and what stops larger ones).
package change
