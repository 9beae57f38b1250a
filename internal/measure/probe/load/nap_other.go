//go:build !linux && !aix

package load

import "time"

func nap(d time.Duration) { time.Sleep(d) }
