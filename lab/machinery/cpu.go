package machinery

import (
	"context"
	"encoding/json"

	"seaworthy/lab/cputime"
	"seaworthy/lab/node"
)

// nodeCPU is the account in the form that the nodes' commands ask for.
func nodeCPU(a *cputime.Account) func(string) (node.CPUTime, bool) {
	return func(name string) (node.CPUTime, bool) {
		s, whole, ok := a.Node(name)
		if s.SoftIRQ != nil {
			s.System += *s.SoftIRQ
		}
		return node.CPUTime{User: s.User, System: s.System, Processes: !whole}, ok
	}
}

// readCPU answers "cpu" with a reading of everybody's CPU time.
func readCPU(a *cputime.Account) func(context.Context, json.RawMessage) (any, error) {
	return func(context.Context, json.RawMessage) (any, error) { return a.Read() }
}
