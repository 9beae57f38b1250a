//go:build unix && !linux && !aix

package meter

import (
	"fmt"
	"runtime"
	"time"
)

// Start fails: this system's accounting is not read.
func Start(time.Duration) (Meter, error) {
	return nil, fmt.Errorf("the CPU of a %s host is not measured", runtime.GOOS)
}

// Scope is unknown here.
func Scope() string { return "" }
