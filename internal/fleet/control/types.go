package control

import "time"

// Zone is a zone as the hub knows it.
type Zone struct {
	Name     string    `json:"zone"`
	Keys     []string  `json:"keys"`            // public keys of its tokens; the newest last
	Patterns []string  `json:"hosts,omitempty"` // names of hosts that it may have; none: any
	Made     time.Time `json:"made"`
}

// ZoneState is a zone with what it does now.
type ZoneState struct {
	Zone
	Hosts      int       `json:"host_count"`
	Waiting    int       `json:"waiting"` // jobs that no collector has
	Held       int       `json:"held"`    // jobs that its collector has
	Reading    int       `json:"reading"`
	Spooled    int       `json:"spooled"` // results that are not sent yet
	Collector  string    `json:"collector,omitempty"`
	Version    string    `json:"version,omitempty"`
	Connected  bool      `json:"connected"`
	Seen       time.Time `json:"seen,omitzero"`          // a message of it came; zero: none since the hub began
	Silent     bool      `json:"silent"`                 // it has hosts, and no collector is heard of
	Refused    int       `json:"refused"`                // messages that were refused
	LastReason string    `json:"last_refusal,omitempty"` // why the last one was
}

// NewZone asks for a zone, or for another key of it.
type NewZone struct {
	Name     string   `json:"zone"`
	Key      string   `json:"key"` // public
	Patterns []string `json:"hosts,omitempty"`
	Replace  bool     `json:"replace,omitempty"` // its other keys are refused from now on
}

// Made is what a token needs to know of the hub.
type Made struct {
	Hubs  []string `json:"hubs"`
	Pin   string   `json:"pin"`
	OwnCA bool     `json:"own_ca"`
}

// NewSweep asks for a sweep.
type NewSweep struct {
	Words  []string `json:"words,omitempty"` // which hosts; none: all
	Within Seconds  `json:"within_s"`        // what is not read by then ends with that reason
	By     string   `json:"by,omitempty"`    // the schedule that asks
	User   string   `json:"user,omitempty"`  // who asks, as the operator's machine says
}

// Named is a request about one sweep, zone or schedule; a sweep may be "latest".
type Named struct {
	Name string `json:"name"`
}

// Verdict is what became of a host in a sweep.
type Verdict string

// The verdicts.
const (
	Read    Verdict = "read"    // and kept
	Partial Verdict = "partial" // not to its end; what there is was kept
	Failed  Verdict = "failed"  // not read, with a reason
)

// Outcome is what became of one host in a sweep.
type Outcome struct {
	Sweep     string    `json:"sweep"`
	Host      string    `json:"host"`
	Zone      string    `json:"zone"`
	Collector string    `json:"collector,omitempty"`
	Verdict   Verdict   `json:"verdict"`
	Reason    string    `json:"reason,omitempty"`
	Began     time.Time `json:"began,omitzero"`
	Ended     time.Time `json:"ended"`
}

// Part is a zone's part of a sweep.
type Part struct {
	Zone string `json:"zone"`
	All  int    `json:"hosts"`
	Done int    `json:"done"`
	// Silent says that hosts are to come and no collector of the zone is heard of.
	Silent bool      `json:"silent,omitempty"`
	Seen   time.Time `json:"seen,omitzero"` // of a silent zone: the last time; zero: not since the hub began
}

// Sweep is a sweep and how far it is.
type Sweep struct {
	ID      string    `json:"sweep"`
	Words   []string  `json:"words"`          // which hosts; none: all
	By      string    `json:"by,omitempty"`   // a schedule
	User    string    `json:"user,omitempty"` // who asked, as the operator's machine said
	Begun   time.Time `json:"begun"`
	Until   time.Time `json:"until"`
	Ended   time.Time `json:"ended,omitzero"`
	All     int       `json:"hosts"`
	Read    int       `json:"read"`
	Partial int       `json:"partial"`
	Failed  int       `json:"failed"`
	Left    Seconds   `json:"left_s,omitempty"` // about; 0: not known
	Zones   []Part    `json:"zones"`
	Not     []Outcome `json:"not_read"` // partial and failed ones, the first few
}

// Done is how many hosts have their outcome.
func (s *Sweep) Done() int { return s.Read + s.Partial + s.Failed }

// Silent are the parts of zones that are not heard of while hosts of theirs are to come.
func (s *Sweep) Silent() (out []Part) {
	for _, p := range s.Zones {
		if p.Silent {
			out = append(out, p)
		}
	}
	return out
}

// Schedule makes a sweep again and again.
type Schedule struct {
	Name   string    `json:"schedule"`
	Cron   string    `json:"cron"`
	Words  []string  `json:"words,omitempty"`    // which hosts; none: all
	Jitter Seconds   `json:"jitter_s,omitempty"` // begins up to so much later
	Not    []string  `json:"not,omitempty"`      // windows in which none begins
	Within Seconds   `json:"within_s"`
	Next   time.Time `json:"next,omitzero"`
	Last   string    `json:"last_sweep,omitempty"`
	Note   string    `json:"note,omitempty"` // of the last time
}
