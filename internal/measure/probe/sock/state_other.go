//go:build unix && !linux

package sock

import "runtime"

func (c *Conn) tcp() TCPState { return TCPState{} }

// capOf names the tunable that refuses a buffer: AIX rejects a size above
// sb_max and leaves the buffer as it was.
func capOf(_ string, requested int, granted *int) string {
	if runtime.GOOS != "aix" || granted == nil || *granted >= requested {
		return ""
	}
	return "sb_max"
}
