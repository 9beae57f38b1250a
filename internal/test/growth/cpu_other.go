//go:build !linux

package growth

import (
	"testing"
	"time"
)

// cpuTime skips the test: only Linux counts the time of a thread.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	t.Skip("this system does not count the processor time of a thread")
	return 0
}
