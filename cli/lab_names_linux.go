package cli

import (
	"seaworthy/lab"
	"seaworthy/lab/topology"
)

// labNames list what can be completed: the running labs, the nodes of all of
// them, the built-in topologies.
func labNames() (labs, nodes, topologies func() []string) {
	running := func(name func(*lab.Lab) []string) func() []string {
		return func() []string {
			list, err := lab.List("")
			if err != nil {
				return nil
			}
			var out []string
			for _, l := range list {
				out = append(out, name(l)...)
			}
			return out
		}
	}
	labs = running(func(l *lab.Lab) []string { return []string{l.Name} })
	nodes = running(func(l *lab.Lab) []string { return entry(l).Nodes })
	return labs, nodes, topology.Builtins
}
