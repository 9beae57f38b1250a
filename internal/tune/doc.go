// Package tune finds the settings of a path that serve a goal best, and proves the
// winner. Trials are expensive and noisy, so it screens a designed fraction of the
// combinations, races the few that are left, drops from the leader what does not
// contribute, and confirms it against the present state on fresh blocks alone: what
// chose a winner does not judge it.
//
// The engine knows nothing of hosts: a Bed tries a combination of settings and puts
// everything back. It is the same for hosts, for a program that proposes the points,
// and for simulated studies. Every trial goes into the study's file at once; a study
// is resumed by running it again on the trials that it has: the same seed and the
// same values lead to the same decisions.
package tune
