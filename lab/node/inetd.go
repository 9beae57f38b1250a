package node

// Inetd keeps the process number of each node's inetd. No such process runs on a
// node: lssrc shows it, and tuning commands restart it.
type Inetd struct{ restarted memory[string, int] }

const (
	firstInetd   = 5177778
	nextInetdPID = 262144 // added by each restart
)

// PID returns the process number of a node's inetd.
func (i *Inetd) PID(node string) int {
	if p := i.restarted.get(node); p != nil {
		return *p
	}
	return firstInetd
}

// Restart gives a node's inetd another process number.
func (i *Inetd) Restart(node string) {
	i.restarted.set(node, new(i.PID(node)+nextInetdPID))
}
