package meter

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

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
