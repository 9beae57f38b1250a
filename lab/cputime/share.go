package cputime

import (
	"errors"
	"time"
)

// Share is an owner's CPU between two readings, in cores.
type Share struct {
	Owner
	Cores   float64  `json:"cores"`
	User    *float64 `json:"user,omitempty"`
	System  *float64 `json:"system,omitempty"`
	SoftIRQ *float64 `json:"softirq,omitempty"`
	// Entitlement is Cores in percent of what the partition is entitled to.
	Entitlement *float64 `json:"entitled_percent,omitempty"`
}

// Shares is who used what between two readings.
type Shares struct {
	Seconds   float64 `json:"seconds"`
	Shares    []Share `json:"shares"`
	Sum       float64 `json:"sum"`     // cores, of all shares
	Machine   float64 `json:"machine"` // cores, by the kernel's own account
	CPUs      int     `json:"cpus"`
	Processes string  `json:"processes_only,omitempty"` // why what the kernel did for devices is in no share
}

// Between gives everybody's cores. Where only processes are accounted, what
// the machine used beyond them is not attributed.
func Between(before, after *Reading) (*Shares, error) {
	u, err := after.Machine.Since(before.Machine)
	if err != nil {
		return nil, err
	}
	s := &Shares{Seconds: after.At.Sub(before.At).Seconds(), Machine: u.Cores, CPUs: u.CPUs, Processes: after.Processes}
	if s.Seconds <= 0 {
		return nil, errors.New("CPU time: empty interval")
	}
	was := map[string]Spent{}
	for _, l := range before.Lines {
		was[l.Name] = l.Spent
	}
	for _, l := range after.Lines {
		b, ok := was[l.Name]
		if !ok {
			continue
		}
		// Of a process that nobody waited for, the time is lost with it.
		cores := func(a, b time.Duration) float64 { return max(0, (a-b).Seconds()) / s.Seconds }
		user, system := cores(l.User, b.User), cores(l.System, b.System)
		x := Share{Owner: l.Owner, Cores: user + system, User: &user, System: &system}
		if l.SoftIRQ != nil && b.SoftIRQ != nil {
			soft := cores(*l.SoftIRQ, *b.SoftIRQ)
			x.SoftIRQ = &soft
			x.Cores += soft
		}
		if l.Entitled > 0 {
			percent := 100 * x.Cores / l.Entitled
			x.Entitlement = &percent
		}
		s.Shares = append(s.Shares, x)
		s.Sum += x.Cores
	}
	if s.Processes != "" {
		s.Shares = append(s.Shares, Share{Owner: unattributed, Cores: max(0, s.Machine-s.Sum)})
		s.Sum = max(s.Sum, s.Machine)
	}
	return s, nil
}
