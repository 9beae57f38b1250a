package diagnose

import (
	"fmt"

	"seaworthy/internal/inventory/model"
)

// State says how busy the path was while it was tested.
type State struct {
	Kind    StateKind `json:"kind"`
	Percent *float64  `json:"percent_of_line,omitempty"` // what the busiest port of the path carried; nil: not known
}

// StateKind of a path.
type StateKind string

const (
	Idle    StateKind = "idle"
	InUse   StateKind = "in use"
	Loaded  StateKind = "loaded by diagnose" // its own streams
	Unknown StateKind = "not known"
)

// String says it in words.
func (s State) String() string {
	switch {
	case s.Kind == Loaded:
		return "under the load of its own streams"
	case s.Percent == nil:
		return "how busy the path was is not known"
	case s.Kind == Idle:
		return "on an idle path"
	}
	return fmt.Sprintf("on a path in use, %.0f %% of the line", *s.Percent)
}

// state is how busy the path was between the two readings.
func (j judgement) state(d *Diagnosis) State {
	if d.single() != nil {
		return State{Kind: Loaded}
	}
	busiest := -1.0
	for _, r := range refs(j.in.Path) {
		if p, ok := j.carried(r); ok {
			busiest = max(busiest, p)
		}
	}
	switch {
	case busiest < 0:
		return State{Kind: Unknown}
	case busiest >= 100*j.ranking.IdleShare:
		return State{Kind: InUse, Percent: &busiest}
	}
	return State{Kind: Idle, Percent: &busiest}
}

// byteCounters are the names under which ports count bytes, of AIX and of Linux drivers.
var byteCounters = [][2]string{{"tx.Bytes", "rx.Bytes"}, {"tx_bytes", "rx_bytes"}}

// carried is the share of its line in percent that a port of the path carried in its
// busier direction, between the two readings.
func (j judgement) carried(r model.Ref) (float64, bool) {
	if j.in.Before == nil {
		return 0, false
	}
	now, then := j.in.Fleet.Element(r), j.in.Before.Element(r)
	host, before := j.in.Fleet.Host(r.Host), j.in.Before.Host(r.Host)
	if now == nil || then == nil || now.Kind != model.Physical || now.SpeedMb == nil || *now.SpeedMb <= 0 {
		return 0, false
	}
	seconds := host.Taken.Sub(before.Taken).Seconds()
	if seconds <= 0 {
		return 0, false
	}
	most, seen := 0.0, false
	for _, names := range byteCounters {
		for _, name := range names {
			a, ok := then.Counters.Get(name)
			b, ok2 := now.Counters.Get(name)
			if ok && ok2 && b >= a {
				most, seen = max(most, float64(b-a)*8/seconds), true
			}
		}
	}
	return 100 * most / (float64(*now.SpeedMb) * 1e6), seen
}
