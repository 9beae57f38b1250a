// Package e2e holds the audit against labs in which something is
// mis-set: on a kernel's real network, read over SSH as any host is. Every
// mis-setting must be named by the rules that describe it, on the element that
// has it, and nothing else may be; its remedy must cure it; and a rollback
// must bring back every value as it was.
//
// The tables in cases_test.go are the data: a line is a case.
package e2e
