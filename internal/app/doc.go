// Package app is the layer below the command line: each of its packages does
// what a subcommand does once its flags are read, from the names of hosts to a
// typed result. None of them knows flags, a terminal or an output format.
//
// This package itself holds the errors that a command line answers with an exit
// status of their own.
package app

import "fmt"

// UsageError is a request that makes no sense as it was put: a mistake on the
// command line, not a failure.
type UsageError struct{ err error }

// Usage returns a UsageError with this text.
func Usage(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

func (e *UsageError) Error() string { return e.err.Error() }

// Unwrap returns the error it was made of.
func (e *UsageError) Unwrap() error { return e.err }

// NegativeError is an answer "no" with its reason, given before anything was begun.
type NegativeError struct{ err error }

// Negative returns err as a NegativeError; nil stays nil.
func Negative(err error) error {
	if err == nil {
		return nil
	}
	return &NegativeError{err}
}

func (e *NegativeError) Error() string { return e.err.Error() }

// Unwrap returns the reason.
func (e *NegativeError) Unwrap() error { return e.err }
