package live

import (
	"time"

	"seaworthy/internal/collect"
)

// SchemaFrame names the format of top --once -f json.
const SchemaFrame = "seaworthy.top/1"

// Frame is the tree of all hosts at one moment.
type Frame struct {
	Schema  string    `json:"schema"`
	At      time.Time `json:"at"`
	Systems []*System `json:"systems"`
}

// System is a managed system with the hosts on it; its name is empty for hosts
// that do not say theirs.
type System struct {
	Name  string  `json:"name,omitempty"`
	Hosts []*Host `json:"hosts"`
}

// States of a host.
const (
	Waiting = "waiting" // not read yet
	Up      = "up"
	Away    = "away"    // not reached, or broken off; it is tried again
	Refused = "refused" // the same, and not tried again
)

// Host is one host. Nil means not known.
type Host struct {
	Name     string     `json:"name"`
	Platform string     `json:"platform,omitempty"`
	State    string     `json:"state"`
	Since    *time.Time `json:"since,omitempty"`   // away: from when
	Why      string     `json:"why,omitempty"`     // away: the reason
	At       *time.Time `json:"at,omitempty"`      // of the last reading of counters
	Seconds  float64    `json:"seconds,omitempty"` // that the rates are a mean of; 0: there are none yet
	Unread   int        `json:"unread,omitempty"`  // commands that did not answer this time
	Hung     []string   `json:"hung,omitempty"`    // commands that are not asked again: they did not end, and may still run

	Cores       *float64   `json:"cores,omitempty"`
	PeakCores   *float64   `json:"peak_cores,omitempty"`
	Entitled    *float64   `json:"entitled_cores,omitempty"`
	Retransmits *float64   `json:"retransmits,omitempty"` // segments a second
	Elements    []*Element `json:"elements"`
}

// Element is an adapter or interface with those that it is built on.
type Element struct {
	Name       string     `json:"name"`
	Kind       string     `json:"kind"`
	Role       string     `json:"role,omitempty"`       // real adapter, trunk, control channel, member, backup
	State      string     `json:"state,omitempty"`      // of an SEA: PRIMARY, BACKUP, …
	Bridging   []int      `json:"bridging,omitempty"`   // SEA, trunk: VLANs that it carries now
	Standby    []int      `json:"standby,omitempty"`    // and that it leaves to its pair
	LinkUp     *bool      `json:"link_up,omitempty"`    //
	SpeedMbit  int64      `json:"speed_mbit,omitempty"` // of its line; 0: not known
	Interfaces []string   `json:"interfaces,omitempty"` // on it, with their addresses
	Via        []string   `json:"via,omitempty"`        // client: the SEAs that carry its frames now
	Rates      Rates      `json:"rates"`                // per second
	Peaks      Rates      `json:"peaks"`
	Reset      bool       `json:"reset,omitempty"` // a counter began again
	Below      []*Element `json:"below,omitempty"`
}

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
