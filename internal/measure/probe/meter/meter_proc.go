//go:build !aix

package meter

import (
	"os"
	"strings"
	"time"
)

type procMeter struct {
	before *ProcStat
	own    *CgroupStat // nil: this host has no account of its own
}

// slow is how long a reading can take before it is not believed to be of the
// moment: an account may begin with the first that asks for it.
const slow = 5 * time.Millisecond

// Start begins an interval. The length expected is not needed here.
func Start(time.Duration) (Meter, error) {
	asked := time.Now()
	own := readCgroup()
	if own != nil && own.At.Sub(asked) > slow {
		own = readCgroup()
	}
	before, err := readProcStat()
	if err != nil {
		return nil, err
	}
	return &procMeter{before: before, own: own}, nil
}

// End closes nothing: the kernel counts on.
func (m *procMeter) End() (*Usage, error) { return m.SoFar() }

func (m *procMeter) SoFar() (*Usage, error) {
	own := readCgroup()
	after, err := readProcStat()
	if err != nil {
		return nil, err
	}
	u, err := after.Since(m.before)
	if err != nil {
		return nil, err
	}
	if own != nil && m.own != nil {
		// A control group that has changed is useless; the host's account is used.
		u.Own, _ = own.Since(m.own)
	}
	u.Scope = Scope()
	return u, nil
}

// readCgroup is the host's own account, nil if it has none.
func readCgroup() *CgroupStat {
	text, err := os.ReadFile(cgroupFile)
	if err != nil {
		return nil
	}
	s, err := ParseCgroupStat(string(text), time.Now())
	if err != nil {
		return nil
	}
	return s
}

func readProcStat() (*ProcStat, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return nil, err
	}
	return ParseProcStat(string(text), time.Now())
}

// Scope is the id of the running kernel's boot, "" if it cannot be read.
func Scope() string {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return "boot:" + strings.TrimSpace(string(text))
}
