// Package meter reads how much CPU a host used over an interval, in cores,
// from the system's own accounting: /proc/stat on Linux, lparstat's physc on
// AIX. What cannot be read is an error, never zero.
//
// Hosts that share a kernel (containers, namespaces) read the same counters.
// A Usage therefore names its scope; a sum over hosts takes each scope once.
package meter

import (
	"time"

	"golang.org/x/sys/unix"
)

// Usage is the CPU a scope used over an interval. All parts are in cores:
// CPU-seconds per second.
type Usage struct {
	Scope   string  `json:"scope,omitempty"` // boot id of the kernel or id of the partition; empty: unknown
	Source  string  `json:"source"`          // /proc/stat, lparstat
	Seconds float64 `json:"seconds"`         // length of the interval as the meter saw it
	Cores   float64 `json:"cores"`           // busy: everything but idle, waiting for I/O and stolen
	CPUs    int     `json:"cpus,omitempty"`  // logical CPUs

	User    *float64 `json:"user,omitempty"` // with nice; on Linux without Guest
	System  *float64 `json:"system,omitempty"`
	IRQ     *float64 `json:"irq,omitempty"`
	SoftIRQ *float64 `json:"softirq,omitempty"`
	Steal   *float64 `json:"steal,omitempty"` // wanted but given to others by the hypervisor; not in Cores
	Guest   *float64 `json:"guest,omitempty"` // ran virtual machines; in Cores

	Entitled *float64 `json:"entitled_percent,omitempty"` // AIX: %entc

	// Own is the host's own part of the scope, where it has an account of its
	// own: a container's control group on a kernel that others use too.
	Own *Own `json:"own,omitempty"`
}

// Own holds what a host used of a kernel that it may share, in cores.
type Own struct {
	Source  string  `json:"source"`
	Seconds float64 `json:"seconds"`
	Cores   float64 `json:"cores"`
	User    float64 `json:"user"`
	System  float64 `json:"system"` // with what the kernel did for its devices, if that is accounted to it
}

// SelfUsage is the CPU a process used over an interval, in cores.
type SelfUsage struct {
	User   float64 `json:"user"`
	System float64 `json:"system"`
}

// Meter measures one interval.
type Meter interface {
	// End closes the interval and gives the usage since the meter was started.
	End() (*Usage, error)
}

// Running is a Meter that can be read before the interval ends: lparstat cannot.
type Running interface {
	SoFar() (*Usage, error)
}

// Self is a reading of the process's own CPU time.
type Self struct {
	at           time.Time
	user, system time.Duration
	ok           bool
}

// ReadSelf reads the process's own CPU time.
func ReadSelf() Self {
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &r) != nil {
		return Self{}
	}
	return Self{at: time.Now(), user: duration(r.Utime), system: duration(r.Stime), ok: true}
}

// Since gives the usage between two readings, nil if either failed.
func (s Self) Since(before Self) *SelfUsage {
	seconds := s.at.Sub(before.at).Seconds()
	if !s.ok || !before.ok || seconds <= 0 {
		return nil
	}
	return &SelfUsage{
		User:   (s.user - before.user).Seconds() / seconds,
		System: (s.system - before.system).Seconds() / seconds,
	}
}

func duration(t unix.Timeval) time.Duration {
	return time.Duration(t.Nano())
}
