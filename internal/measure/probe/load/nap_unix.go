//go:build linux || aix

package load

import (
	"time"

	"golang.org/x/sys/unix"
)

// nap sleeps. Go's own timers end up to a millisecond late where nothing else runs, which
// would be part of every latency.
func nap(d time.Duration) {
	t := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&t, nil) // one that is cut short is followed by another
}
