package live

import (
	"time"

	"seaworthy/collect"
)

// Event is news of one host: exactly one of Reading and Lost is set.
type Event struct {
	Reading *collect.Reading
	Lost    *Lost
}

// Lost is a host that could not be read.
type Lost struct {
	Host  string
	At    time.Time
	Why   string
	Final bool // it is not tried again: the user has to do something
}

// Host is whom it is about.
func (e Event) Host() string {
	if e.Reading != nil {
		return e.Reading.Host
	}
	return e.Lost.Host
}

// At is when it happened.
func (e Event) At() time.Time {
	if e.Reading != nil {
		return e.Reading.At
	}
	return e.Lost.At
}
