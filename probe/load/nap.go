package load

import (
	"time"

	"golang.org/x/sys/unix"
)

// nap sleeps. Go's own timers end up to a millisecond late where nothing else runs, which
// would be part of every latency.
func nap(d time.Duration) {
	t := unix.NsecToTimeval(max(d, time.Microsecond).Nanoseconds())
	_, _ = unix.Select(0, nil, nil, nil, &t) // one that is cut short is followed by another
}
