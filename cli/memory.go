package cli

import (
	"math"
	"os"
	"runtime/debug"
)

// memoryLimit is where memory is collected more often again, in bytes: a large
// fleet is read within it.
const memoryLimit = 360 << 20

// spacious makes room for a run that ends soon: one host is judged before
// there is anything to collect. The user's GOGC and GOMEMLIMIT win.
func spacious() (restore func()) {
	limit := debug.SetMemoryLimit(-1)
	if os.Getenv("GOGC") != "" || limit != math.MaxInt64 {
		return func() {}
	}
	percent := debug.SetGCPercent(400)
	debug.SetMemoryLimit(memoryLimit)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}
