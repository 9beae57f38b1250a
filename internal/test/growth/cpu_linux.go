package growth

import (
	"syscall"
	"testing"
	"time"
)

const rusageThread = 1 // RUSAGE_THREAD, getrusage(2)

// cpuTime is what the calling thread has used.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &u); err != nil {
		t.Fatalf("getrusage: %v", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
