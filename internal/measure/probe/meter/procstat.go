package meter

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// userHz is the unit of /proc/stat: 1/100 s on every architecture that Go
// runs on, whatever the kernel's own HZ (proc(5), USER_HZ).
const userHz = 100

// ProcStat is the first block of Linux' /proc/stat at one moment, in ticks of
// 1/100 s since boot, summed over all CPUs.
type ProcStat struct {
	At                                    time.Time
	User, Nice, System, Idle, IOWait      uint64
	IRQ, SoftIRQ, Steal, Guest, GuestNice uint64
	CPUs                                  int
}

// ParseProcStat reads the text of /proc/stat. Kernels before 2.6.33 print
// fewer columns; the missing ones did not exist and are zero, but user to
// idle must be there.
func ParseProcStat(text string, at time.Time) (*ProcStat, error) {
	s := &ProcStat{At: at}
	found := false
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 || !strings.HasPrefix(f[0], "cpu") {
			continue
		}
		if f[0] != "cpu" {
			s.CPUs++
			continue
		}
		if len(f) < 5 {
			return nil, fmt.Errorf("/proc/stat: cpu line has %d columns, at least 4 expected", len(f)-1)
		}
		fields := []*uint64{&s.User, &s.Nice, &s.System, &s.Idle, &s.IOWait, &s.IRQ, &s.SoftIRQ, &s.Steal, &s.Guest, &s.GuestNice}
		for i, v := range f[1:min(len(f), len(fields)+1)] {
			n, err := strconv.ParseUint(v, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("/proc/stat: column %d of the cpu line is %q, a number expected", i+1, v)
			}
			*fields[i] = n
		}
		found = true
	}
	if !found {
		return nil, errors.New("/proc/stat has no cpu line")
	}
	return s, nil
}

// Since gives the usage between two readings.
func (s *ProcStat) Since(before *ProcStat) (*Usage, error) {
	seconds := s.At.Sub(before.At).Seconds()
	if seconds <= 0 {
		return nil, errors.New("/proc/stat: the interval has no length")
	}
	cores := func(after, before uint64) float64 {
		// The kernel may let a sum over CPUs step back a tick when one goes off line.
		if after < before {
			return 0
		}
		return float64(after-before) / userHz / seconds
	}
	user := cores(s.User+s.Nice, before.User+before.Nice)
	guest := cores(s.Guest+s.GuestNice, before.Guest+before.GuestNice)
	system, irq := cores(s.System, before.System), cores(s.IRQ, before.IRQ)
	soft, steal := cores(s.SoftIRQ, before.SoftIRQ), cores(s.Steal, before.Steal)
	busy := user + system + irq + soft
	user = max(0, user-guest) // the kernel counts a guest's time in user too
	return &Usage{
		Source: "/proc/stat", Seconds: seconds, CPUs: s.CPUs, Cores: busy,
		User: &user, System: &system, IRQ: &irq, SoftIRQ: &soft, Steal: &steal, Guest: &guest,
	}, nil
}

// cgroupFile is a container's own account; on a host that is none, that of
// the whole host (cgroup v2).
const cgroupFile = "/sys/fs/cgroup/cpu.stat"

// CgroupStat is the CPU time of a control group: the text of its cpu.stat, a
// line with a name and a number each, and these are in every version.
type CgroupStat struct {
	At                  time.Time
	Usage, User, System time.Duration
}

// ParseCgroupStat reads the text of a cpu.stat.
func ParseCgroupStat(text string, at time.Time) (*CgroupStat, error) {
	s := &CgroupStat{At: at}
	want := map[string]*time.Duration{"usage_usec": &s.Usage, "user_usec": &s.User, "system_usec": &s.System}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		to := want[name]
		if to == nil {
			continue
		}
		n, err := strconv.ParseUint(value, 10, 53)
		if err != nil {
			return nil, fmt.Errorf("cpu.stat: %s is %q, a number of µs expected", name, value)
		}
		*to = time.Duration(n) * time.Microsecond
		delete(want, name)
	}
	if len(want) > 0 {
		return nil, errors.New("cpu.stat has not all of usage_usec, user_usec and system_usec")
	}
	return s, nil
}

// Since gives the usage between two readings.
func (s *CgroupStat) Since(before *CgroupStat) (*Own, error) {
	seconds := s.At.Sub(before.At).Seconds()
	if seconds <= 0 {
		return nil, errors.New("cpu.stat: the interval has no length")
	}
	if s.Usage < before.Usage || s.User < before.User || s.System < before.System {
		return nil, errors.New("cpu.stat went back: the control group is not the same")
	}
	cores := func(after, before time.Duration) float64 { return (after - before).Seconds() / seconds }
	return &Own{Source: cgroupFile, Seconds: seconds, Cores: cores(s.Usage, before.Usage),
		User: cores(s.User, before.User), System: cores(s.System, before.System)}, nil
}
