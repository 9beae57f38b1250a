package meter

import (
	"os"
	"strings"
	"time"
)

type procMeter struct{ before *ProcStat }

// Start begins an interval. The length expected is not needed here.
func Start(time.Duration) (Meter, error) {
	before, err := readProcStat()
	if err != nil {
		return nil, err
	}
	return &procMeter{before: before}, nil
}

func (m *procMeter) End() (*Usage, error) {
	after, err := readProcStat()
	if err != nil {
		return nil, err
	}
	u, err := after.Since(m.before)
	if err != nil {
		return nil, err
	}
	u.Scope = Scope()
	return u, nil
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
