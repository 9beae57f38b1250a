package meter

import (
	"time"

	"golang.org/x/sys/unix"
)

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
