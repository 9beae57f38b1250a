// Package doctor finds out on a host whether what the tool takes for granted
// about its platform holds (catalog/assumptions.yaml), and what the features
// that lean on it do where it does not.
//
//	e, err := doctor.Examine(ctx, host, doctor.Options{})     // everything
//	err := doctor.Require(ctx, hosts, o, catalog.ProbingMTU)  // before a feature runs
//
// Its tests read and change nothing.
package doctor
