package traffic

import "runtime"

// room makes room for loops that keep their processor while they block (see
// sock.Conn.Read), next to reports and signals. It grows in steps, since every
// change stops all loops that run.
func room(loops int) {
	need := 16
	for need < loops+4 {
		need *= 4
	}
	if runtime.GOMAXPROCS(0) < need {
		runtime.GOMAXPROCS(need)
	}
}
