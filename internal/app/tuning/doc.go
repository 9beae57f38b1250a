// Package tuning carries out a study of package tune on hosts: it finds what can
// be tried on a path, measures it trial by trial, and plans the best. A study
// that was broken off goes on where it was.
package tuning
